package io.ringside.streams.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;

/// How Kafka Streams runs.
///
/// @param commitInterval how long a result may stay invisible to readers of committed records
/// @param threads stream threads of this instance
/// @param standbyReplicas warm copies of the state on other instances
/// @param forgetAfter a job or file that is silent for as long loses its state; its results stay
/// @param keepSamples how far back GPU samples wait for the lines that say whose they are
public record ProcessingConfig(
    Guarantee guarantee,
    Duration commitInterval,
    int threads,
    int standbyReplicas,
    Duration forgetAfter,
    Duration keepSamples) {

  /// What is kept as by default.
  public ProcessingConfig(
      Guarantee guarantee, Duration commitInterval, int threads, int standbyReplicas) {
    this(
        guarantee,
        commitInterval,
        threads,
        standbyReplicas,
        Duration.ofHours(24),
        Duration.ofMinutes(2));
  }

  public ProcessingConfig {
    Require.positive("forgetAfter", forgetAfter);
    Require.between("keepSamples", 1, 86_400, (int) Math.min(keepSamples.toSeconds(), 100_000));
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
}
