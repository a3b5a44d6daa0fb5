package io.ringside.streams.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.ringside.platform.config.Require;
import java.time.Duration;

/// How Kafka Streams runs.
///
/// @param commitInterval how long a result may stay invisible to readers of committed records
/// @param threads number of stream threads of this instance
/// @param rebalance how instances share the partitions
/// @param standbyReplicas number of warm copies of the state on other instances
/// @param forgetAfter silence after which the state of a job or file is dropped; its results stay
/// @param keepResults how long findings and runs stay after the state of their job was dropped
/// @param keepSamples how far back GPU samples wait for lines that show which process they belong
///   to
/// @param callsPerSecond most calls of a rank on a communicator that are examined; if there are
///   more, the waits of some stand for all
public record ProcessingConfig(
    Guarantee guarantee,
    Duration commitInterval,
    int threads,
    Rebalance rebalance,
    int standbyReplicas,
    Duration forgetAfter,
    Duration keepResults,
    Duration keepSamples,
    int callsPerSecond) {

  public ProcessingConfig {
    Require.positive("forgetAfter", forgetAfter);
    Require.positive("keepResults", keepResults);
    Require.between("keepSamples", 1, 86_400, (int) Math.min(keepSamples.toSeconds(), 100_000));
    Require.between("callsPerSecond", 10, 1_000_000, callsPerSecond);
    Require.positive("commitInterval", commitInterval);
    Require.between("threads", 1, 256, threads);
    Require.between("standbyReplicas", 0, 16, standbyReplicas);
  }

  /// Kafka's processing guarantee.
  public enum Guarantee {
    @JsonProperty("exactly_once_v2")
    EXACTLY_ONCE("exactly_once_v2"),
    @JsonProperty("at_least_once")
    AT_LEAST_ONCE("at_least_once");

    private final String kafkaName;

    Guarantee(String kafkaName) {
      this.kafkaName = kafkaName;
    }

    /// As Kafka spells it.
    public String kafkaName() {
      return kafkaName;
    }
  }

  /// Decides how partitions are assigned to instances.
  public enum Rebalance {
    /// The group's leader assigns partitions, and all instances stop meanwhile; instances may be
    /// static members.
    @JsonProperty("classic")
    CLASSIC,
    /// The broker assigns partitions (KIP-1071, brokers from 4.2 on), and only partitions that move
    /// stop. The broker's group settings decide session timeout and standby replicas:
    /// `streams.session.timeout.ms`, `streams.num.standby.replicas`.
    @JsonProperty("streams")
    STREAMS
  }
}
