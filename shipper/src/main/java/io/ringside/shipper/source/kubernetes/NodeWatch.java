package io.ringside.shipper.source.kubernetes;

import io.ringside.schemas.event.Nanos;
import io.ringside.shipper.source.WitnessReachability.Contact;
import java.time.DateTimeException;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.function.LongSupplier;
import tools.jackson.databind.JsonNode;

/// Watches this node's own conditions: not ready, or short of memory or disk. Sends a line to each
/// running pod with GPUs on the node, since the condition may be why the pod ends. Only conditions
/// set by the kubelet are used; others have no fixed meaning.
public final class NodeWatch extends Watch {
  /// The word sent for a bad condition, by its type and status.
  private static final Map<String, String> BAD =
      Map.of(
          "Ready False", "NodeNotReady",
          "Ready Unknown", "NodeNotReady",
          "MemoryPressure True", "NodeMemoryPressure",
          "DiskPressure True", "NodeDiskPressure");

  private static final int LONGEST_MESSAGE = 200;

  private final String node;
  private final PodWatch pods;
  private final InstantSource clock;

  /// @param pods knows the pods that run here
  /// @param contact is told whether the API server answers
  public NodeWatch(
      String node,
      ApiServer server,
      WatchTiming timing,
      PodWatch pods,
      KubernetesCounts counts,
      Contact contact,
      InstantSource clock,
      LongSupplier ticker) {
    super(
        "kubernetes-node",
        server,
        "nodes",
        "metadata.name=" + node,
        timing,
        counts,
        contact,
        ticker);
    this.node = node;
    this.pods = pods;
    this.clock = clock;
  }

  @Override
  void changed(JsonNode object) {
    if (!object.at("/metadata/name").asString("").equals(node)) {
      return;
    }
    var now = Nanos.of(clock.instant());
    for (var condition : object.at("/status/conditions")) {
      var bad =
          BAD.get(
              condition.path("type").asString("") + " " + condition.path("status").asString(""));
      long since = since(condition, now);
      if (bad != null && since >= now - timing.past().toNanos()) {
        var said = condition.path("message").asString("").strip().replaceAll("\\s+", " ");
        pods.ofAll(
            "%s: %s".formatted(bad, said.substring(0, Math.min(LONGEST_MESSAGE, said.length()))),
            since);
      }
    }
  }

  private static long since(JsonNode condition, long now) {
    try {
      var text = condition.path("lastTransitionTime").asString("");
      return Math.min(now, Nanos.of(OffsetDateTime.parse(text).toInstant()));
    } catch (DateTimeException e) {
      return now;
    }
  }
}
