package io.ringside.shipper.source.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.UnreachedWitness;
import io.ringside.shipper.config.Identity;
import io.ringside.shipper.source.WitnessReachability;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The watches of a node and its pods against recorded answers.
@Timeout(60)
class NodeWatchTest {
  private static final String POD =
      """
      {"type": "ADDED", "object": {"metadata": {"name": "%s", "namespace": "ml", "uid": "%s", "resourceVersion": "700"},
       "spec": {"nodeName": "gpu-1", "containers": [{"name": "train", "resources": {"limits": {"%s": "8"}}}]},
       "status": {"phase": "%s"}}}
      """;

  private static final String NODE =
      """
      {"type": "MODIFIED", "object": {"kind": "Node", "metadata": {"name": "%s", "resourceVersion": "812"}, "status": {"conditions": [
       {"type": "MemoryPressure", "status": "%s", "lastTransitionTime": "2026-11-20T20:41:00Z", "reason": "KubeletHasInsufficientMemory", "message": "kubelet has insufficient memory available"},
       {"type": "DiskPressure", "status": "False", "lastTransitionTime": "2026-11-19T09:00:00Z", "message": "kubelet has no disk pressure"},
       {"type": "KernelDeadlock", "status": "False", "message": "kernel has no deadlock"},
       {"type": "Ready", "status": "%s", "lastTransitionTime": "%s", "message": "Kubelet stopped posting\\nnode status."}]}}}
      """;

  @TempDir private Path folder;
  private final LinkedBlockingQueue<LogChunk> sent = new LinkedBlockingQueue<>();
  private final KubernetesCounts counts = new KubernetesCounts();
  private final WitnessReachability reachability = new WitnessReachability(() -> Instant.EPOCH);
  private HttpServer server;
  private String answer = "";

  @BeforeEach
  void listen() throws IOException {
    Files.writeString(folder.resolve("token"), "t0ken\n");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write(answer.getBytes(UTF_8));
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void close() {
    server.stop(0);
  }

  @Test
  void tellsEachPodWithGpusThatItsNodeIsNotReady() {
    assertThat(told(NODE.formatted("gpu-1", "False", "Unknown", "2026-11-20T20:42:00Z")))
        .containsExactlyInAnyOrder(
            "kubernetes: pod/llama-0 NodeNotReady: Kubelet stopped posting node status.",
            "kubernetes: pod/llama-1 NodeNotReady: Kubelet stopped posting node status.");
  }

  @Test
  void tellsPressureOnce() {
    var pressed = NODE.formatted("gpu-1", "True", "True", "2026-11-19T09:00:00Z");
    assertThat(told(pressed + pressed))
        .containsExactlyInAnyOrder(
            "kubernetes: pod/llama-0 NodeMemoryPressure: kubelet has insufficient memory available",
            "kubernetes: pod/llama-1 NodeMemoryPressure: kubelet has insufficient memory available");
  }

  /// Of another node, of long ago, all well.
  @Test
  void tellsNothingElse() {
    assertThat(
            told(
                NODE.formatted("gpu-2", "True", "False", "2026-11-20T20:42:00Z")
                    + NODE.formatted("gpu-1", "False", "False", "2026-11-20T19:00:00Z")
                    + NODE.formatted("gpu-1", "False", "True", "2026-11-20T20:42:00Z")))
        .isEmpty();
  }

  @Test
  void survivesWhatIsNoNode() {
    assertThat(
            told(
                "{\"type\": \"ADDED\", \"object\": {\"metadata\": {\"name\": \"gpu-1\"}, \"status\": {\"conditions\": [7, {}, {\"type\": \"Ready\", \"status\": \"False\", \"lastTransitionTime\": \"x\"}]}}}\n"))
        .allMatch(line -> line.endsWith("NodeNotReady: "));
    assertThat(counts.failures.of(Failure.GARBAGE)).isZero();
  }

  private List<String> told(String node) {
    var pods =
        new PodWatch(
            Identity.ofNode("", "gpu-1"),
            server(),
            WatchTiming.USUAL,
            "",
            line -> line,
            sent::add,
            counts,
            reachability.contact(UnreachedWitness.KUBERNETES),
            this::now,
            System::nanoTime);
    answer =
        one(POD.formatted("llama-0", "5e1c-0", "nvidia.com/gpu", "Running"))
            + one(POD.formatted("llama-1", "5e1c-1", "nvidia.com/gpu", "Running"))
            + one(POD.formatted("done-0", "5e1c-2", "nvidia.com/gpu", "Succeeded"))
            + one(POD.formatted("web-0", "5e1c-3", "cpu", "Running"));
    pods.round();
    answer =
        node.lines().reduce("", (all, line) -> all + line + (line.endsWith("}}}") ? "\n" : " "));
    new NodeWatch(
            "gpu-1",
            server(),
            WatchTiming.USUAL,
            pods,
            counts,
            reachability.contact(UnreachedWitness.KUBERNETES),
            this::now,
            System::nanoTime)
        .round();
    var lines = new ArrayList<LogChunk>();
    sent.drainTo(lines);
    return lines.stream().map(chunk -> chunk.text().toString()).toList();
  }

  private static String one(String text) {
    return text.replace("\n", " ") + "\n";
  }

  private Instant now() {
    return Instant.parse("2026-11-20T20:43:00Z");
  }

  private ApiServer server() {
    return new ApiServer(
        URI.create("http://localhost:" + server.getAddress().getPort()),
        folder.resolve("token"),
        folder.resolve("ca.crt"));
  }
}
