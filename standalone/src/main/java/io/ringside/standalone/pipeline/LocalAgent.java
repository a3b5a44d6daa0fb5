package io.ringside.standalone.pipeline;

import io.ringside.shipper.Shipper;
import io.ringside.shipper.config.ShipperConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// How the agent is set up inside this process: no page of its own, checkpoints in a temporary
/// folder, the node named `local`.
public final class LocalAgent {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration SCAN = Duration.ofMillis(250);

  private LocalAgent() {}

  /// Starts a live agent; the caller closes it.
  ///
  /// @param gpus whether nvidia-smi is asked
  /// @throws IOException when it cannot start
  public static Shipper start(
      String bootstrapServers, Identity identity, List<String> globs, Path folder, boolean gpus)
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
            new ShipperConfig.Gpu(gpus, gpu.command(), gpu.interval(), gpu.topologyInterval()),
            defaults.report(),
            new ShipperConfig.Http(false, http.host(), http.port())));
  }

  /// Who the agent says it is.
  ///
  /// @param job overrides what pod names tell; empty to go by the names
  public record Identity(String cluster, String node, String job) {}
}
