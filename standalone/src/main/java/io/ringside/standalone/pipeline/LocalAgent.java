package io.ringside.standalone.pipeline;

import io.ringside.shipper.Shipper;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.shipper.config.Witnesses;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// How the agent is set up inside this process: no page of its own, checkpoints in a temporary
/// folder, nothing masked, since logs do not leave this machine.
public final class LocalAgent {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration SCAN = Duration.ofMillis(250);

  private LocalAgent() {}

  /// Starts a live agent; the caller closes it.
  ///
  /// @param folder for its checkpoints
  /// @param sensors what it asks of this machine beside its logs
  /// @throws IOException when it cannot start
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

  /// What is asked of this machine.
  ///
  /// @param gpus nvidia-smi
  /// @param counters of its network cards; never where the logs are of another machine
  /// @param witnesses others than logs and GPUs
  public record Sensors(boolean gpus, boolean counters, Witnesses witnesses) {
    /// Logs alone.
    public static final Sensors NONE = new Sensors(false, false, Witnesses.NONE);
  }

  /// Who the agent says it is.
  ///
  /// @param job overrides what pod names tell; empty to go by the names
  public record Identity(String cluster, String node, String job) {}
}
