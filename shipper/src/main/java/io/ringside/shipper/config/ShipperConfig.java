package io.ringside.shipper.config;

import io.ringside.platform.config.ConfigFile;
import io.ringside.platform.config.InvalidConfig;
import io.ringside.platform.config.Require;
import io.ringside.shipper.source.log.chunk.ChunkLimits;
import io.ringside.shipper.source.log.follow.TailSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The whole configuration of the agent. `shipper.yaml` beside this class lists every key with its
/// default and meaning.
///
/// @param node empty for the host's name
/// @param instanceType empty to ask the firmware
/// @param jobPatterns tried before {@link JobPattern#DEFAULTS}
/// @param masks secrets that must not leave the node
/// @param kafka passed to the producer as it is
public record ShipperConfig(
    String cluster,
    String node,
    String namespace,
    String job,
    String instanceType,
    List<JobPattern> jobPatterns,
    List<MaskPattern> masks,
    Map<String, String> kafka,
    Logs logs,
    Gpu gpu,
    Report report,
    Witnesses witnesses,
    Http http) {
  private static final ConfigFile<ShipperConfig> FILE =
      new ConfigFile<>("/io/ringside/shipper/config/shipper.yaml", ShipperConfig.class);

  public ShipperConfig {
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(job, "job");
    node = node.isBlank() ? hostName() : node;
    jobPatterns = List.copyOf(jobPatterns);
    masks = List.copyOf(masks);
    kafka = Map.copyOf(kafka);
    Require.text("kafka.bootstrap.servers", kafka.getOrDefault("bootstrap.servers", ""));
  }

  /// Reads the agent's configuration.
  ///
  /// @param file the user's file, null for the defaults alone
  /// @param settings keyed by path, such as `logs.poll`
  /// @param environment returns a variable's value, null if it is not set
  /// @throws InvalidConfig if a value is invalid
  public static ShipperConfig read(
      @Nullable Path file,
      Map<String, String> settings,
      Function<String, @Nullable String> environment) {
    return FILE.read(file, settings, environment);
  }

  /// @param inFlightBytes limit of the text on its way to the broker, in bytes
  /// @param checkpoints file that records how much the broker has
  public record Logs(
      List<String> globs,
      Duration poll,
      Duration scan,
      int chunkLines,
      int chunkBytes,
      int lineBytes,
      long inFlightBytes,
      Path checkpoints) {
    public Logs {
      globs = List.copyOf(globs);
      if (inFlightBytes < 1 << 20) {
        throw new IllegalArgumentException(
            "inFlightBytes must be at least 1048576, was " + inFlightBytes);
      }
      var _ =
          new TailSettings(globs, poll, scan, new ChunkLimits(chunkLines, chunkBytes, lineBytes));
    }

    /// These settings in the form that the tailer takes.
    public TailSettings settings() {
      return new TailSettings(
          globs, poll, scan, new ChunkLimits(chunkLines, chunkBytes, lineBytes));
    }
  }

  /// @param command path or name of nvidia-smi
  /// @param interval time between polls of all GPUs
  /// @param topologyInterval time between readings of how the GPUs are connected
  public record Gpu(boolean enabled, String command, Duration interval, Duration topologyInterval) {
    public Gpu {
      if (interval.toMillis() < 50) {
        throw new IllegalArgumentException("interval must be at least 50ms, was " + interval);
      }
      if (topologyInterval.toSeconds() < 1) {
        throw new IllegalArgumentException(
            "topologyInterval must be at least 1s, was " + topologyInterval);
      }
    }
  }

  /// The node's report: heartbeat and network counters.
  ///
  /// @param interval time between reports
  /// @param sysfs path at which the host's `/sys` is mounted
  public record Report(boolean enabled, Duration interval, Path sysfs) {
    public Report {
      if (interval.toMillis() < 100) {
        throw new IllegalArgumentException("interval must be at least 100ms, was " + interval);
      }
    }
  }

  /// @param port 0 for any free one
  /// @param probePort additional port for the probes, without TLS: 0 for any free port, -1 for none
  /// @param names host names that requests may use for the agent, comma-separated, besides
  ///     addresses and names inside a cluster
  /// @param keystore PKCS12 with the certificate to serve TLS with, empty for none
  /// @param tokenFile holds the bearer token that every request except a probe must carry, empty
  ///     for none
  public record Http(
      boolean enabled,
      String host,
      int port,
      int probePort,
      String names,
      String keystore,
      String keystorePassword,
      String tokenFile) {
    /// Without TLS and without a token.
    public Http(boolean enabled, String host, int port) {
      this(enabled, host, port, -1, "", "", "", "");
    }

    public Http {
      Require.between("port", 0, 65_535, port);
      Require.between("probePort", -1, 65_535, probePort);
    }
  }

  /// Keys whose values differ from the other configuration and cannot change while the agent runs.
  public List<String> needRestart(ShipperConfig other) {
    var keys = new ArrayList<String>();
    note(keys, "cluster", cluster, other.cluster);
    note(keys, "node", node, other.node);
    note(keys, "instanceType", instanceType, other.instanceType);
    note(keys, "kafka", kafka, other.kafka);
    note(keys, "logs.checkpoints", logs.checkpoints, other.logs.checkpoints);
    note(keys, "gpu", gpu, other.gpu);
    note(keys, "report", report, other.report);
    note(keys, "witnesses", witnesses, other.witnesses);
    note(keys, "http", http, other.http);
    return keys;
  }

  private static void note(List<String> keys, String key, Object ours, Object theirs) {
    if (!ours.equals(theirs)) {
      keys.add(key);
    }
  }

  /// This configuration with all values of the other that may change while the agent runs.
  public ShipperConfig withReloadable(ShipperConfig other) {
    var fresh = other.logs;
    return new ShipperConfig(
        cluster,
        node,
        other.namespace,
        other.job,
        instanceType,
        other.jobPatterns,
        other.masks,
        kafka,
        new Logs(
            fresh.globs,
            fresh.poll,
            fresh.scan,
            fresh.chunkLines,
            fresh.chunkBytes,
            fresh.lineBytes,
            fresh.inFlightBytes,
            logs.checkpoints),
        gpu,
        report,
        witnesses,
        http);
  }

  /// Finds the owners of files.
  public Identity identity() {
    var patterns = Stream.concat(jobPatterns.stream(), JobPattern.DEFAULTS.stream()).toList();
    return new Identity(cluster, node, namespace, job, patterns);
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("node must be given: this host has no name", e);
    }
  }
}
