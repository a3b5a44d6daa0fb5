package io.ringside.standalone.pipeline;

import io.ringside.shipper.Shipper;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.shipper.config.Witnesses;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Sets up the agent inside this process: no page of its own, checkpoints in a temporary folder,
/// and no masking, since logs do not leave this machine.
public final class LocalAgent {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration SCAN = Duration.ofMillis(250);

  private LocalAgent() {}

  /// Starts a live agent; the caller closes it.
  ///
  /// @param folder folder for its checkpoints
  /// @param sensors what it reads from this machine besides logs
  /// @throws IOException if it cannot start
  public static Shipper start(
      String bootstrapServers, Identity identity, List<String> globs, Path folder, Sensors sensors)
      throws IOException {
    var defaults =
        ShipperConfig.read(null, Map.of("kafka.bootstrap.servers", bootstrapServers), name -> null);
    var logs = defaults.logs();
    var gpu = defaults.gpu();
    var http = defaults.http();
    return Shipper.start(
        new ShipperConfig(
            identity.cluster(),
            identity.node(),
            defaults.namespace(),
            identity.job(),
            defaults.instanceType(),
            defaults.jobPatterns(),
            List.of(),
            defaults.kafka(),
            new ShipperConfig.Logs(
                globs,
                POLL,
                SCAN,
                logs.chunkLines(),
                logs.chunkBytes(),
                logs.lineBytes(),
                logs.inFlightBytes(),
                folder.resolve("checkpoints.json")),
            new ShipperConfig.Gpu(
                sensors.gpus(), gpu.command(), gpu.interval(), gpu.topologyInterval()),
            new ShipperConfig.Report(
                sensors.counters(), defaults.report().interval(), defaults.report().sysfs()),
            sensors.witnesses(),
            new ShipperConfig.Http(false, http.host(), http.port())));
  }

  /// What the agent reads from this machine besides logs.
  ///
  /// @param gpus whether to run nvidia-smi
  /// @param counters whether to read the network cards' counters; must be false if the logs are
  ///     from another machine
  /// @param witnesses sources other than logs and GPUs
  public record Sensors(boolean gpus, boolean counters, Witnesses witnesses) {
    /// No sensors, only logs.
    public static final Sensors NONE = new Sensors(false, false, Witnesses.NONE);
  }

  /// The names under which the agent reports.
  ///
  /// @param job overrides the job in pod names; empty to use the names
  public record Identity(String cluster, String node, String job) {}
}
