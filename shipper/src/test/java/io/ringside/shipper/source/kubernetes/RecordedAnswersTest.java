package io.ringside.shipper.source.kubernetes;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.UnreachedWitness;
import io.ringside.shipper.config.Identity;
import io.ringside.shipper.source.WitnessReachability;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The watches against what the API server of Kubernetes 1.34.3 answered, byte by byte, as
/// `lab/apiserver.sh` records it: of four pods on a node one runs out of memory, one is evicted,
/// one is deleted by force and one ends with an error, and the node loses its kubelet.
@Timeout(60)
class RecordedAnswersTest {
  private static final Path ANSWERS = Path.of("src", "test", "resources", "kubernetes");
  private static final Instant NOW = Instant.parse("2026-11-30T06:01:00Z");

  /// An answer that ends at once has lasted as long as it was to.
  private static final WatchTiming TIMING =
      new WatchTiming(
          Duration.ZERO,
          Duration.ofMillis(5),
          Duration.ofMillis(20),
          Duration.ofMinutes(10),
          Duration.ofSeconds(20));

  @TempDir private Path folder;
  private final LinkedBlockingQueue<LogChunk> sent = new LinkedBlockingQueue<>();
  private final List<String> asked = new ArrayList<>();
  private final KubernetesCounts counts = new KubernetesCounts();
  private final WitnessReachability reachability = new WitnessReachability(() -> NOW);
  private ServerSocket server;
  private PodWatch pods;

  @BeforeEach
  void listen() throws IOException {
    Files.writeString(folder.resolve("token"), "t0ken\n");
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    pods =
        new PodWatch(
            Identity.ofNode("", "gpu-1"),
            api(),
            TIMING,
            "example.com/team",
            line -> line,
            sent::add,
            counts,
            reachability.contact(UnreachedWitness.KUBERNETES),
            () -> NOW,
            System::nanoTime);
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  @Test
  void saysHowEachPodEndedAndWhoPays() throws Exception {
    answers("pods", pods);

    assertThat(lines())
        .containsExactlyInAnyOrder(
            "kubernetes: pod/llama-0 Team: nlp",
            "kubernetes: pod/llama-1 Team: nlp",
            "kubernetes: pod/llama-2 Team: nlp",
            "kubernetes: pod/llama-0 OOMKilled (container train, exit code 137)",
            "kubernetes: pod/llama-1 Evicted: The node was low on resource: memory. Threshold quantity: 100Mi, available: 91Mi.",
            "kubernetes: pod/web-0 Error (container train, exit code 1)");
    assertThat(counts.failures.of(Failure.GARBAGE)).isZero();
    assertThat(reachability.unreached()).isEmpty();
  }

  /// No pod with GPUs runs any more: the last was deleted by force, in the state of a running one.
  @Test
  void saysNothingOfTheNodeToPodsThatAreGone() throws Exception {
    answers("pods", pods);
    lines();
    answers("nodes", node());

    assertThat(lines()).isEmpty();
    assertThat(counts.failures.of(Failure.GARBAGE)).isZero();
  }

  /// The server holds the watch open without a word until its time is over.
  @Test
  void beginsAnewWhereTheServerHasNotReachedTheVersionSeenLast() throws Exception {
    answers("pods", pods);
    answers("ahead", pods);
    answers("ahead", pods);

    assertThat(asked.get(0)).doesNotContain("resourceVersion");
    assertThat(asked.get(1)).contains("&resourceVersion=");
    assertThat(asked.get(2)).doesNotContain("resourceVersion");
    assertThat(counts.failures.of(Failure.GONE)).isEqualTo(1);
  }

  @Test
  void saysThatItMayNotWatch() throws Exception {
    answers("unauthorized", pods);
    answers("forbidden", pods);

    assertThat(counts.failures.of(Failure.REFUSED)).isEqualTo(2);
    assertThat(lines()).isEmpty();
  }

  private NodeWatch node() {
    return new NodeWatch(
        "gpu-1",
        api(),
        TIMING,
        pods,
        counts,
        reachability.contact(UnreachedWitness.KUBERNETES),
        () -> NOW,
        System::nanoTime);
  }

  /// One round of the watch, in which the server gives this answer.
  private void answers(String file, Watch watch) throws Exception {
    var answer = Files.readAllBytes(ANSWERS.resolve(file + ".http"));
    var answering =
        Thread.ofVirtual()
            .start(
                () -> {
                  try (var socket = server.accept()) {
                    asked.add(request(socket));
                    socket.getOutputStream().write(answer);
                  } catch (IOException e) {
                    asked.add(e.toString());
                  }
                });
    watch.round();
    answering.join();
  }

  private static String request(Socket socket) throws IOException {
    var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
    var first = in.readLine();
    for (var line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      // the rest of the head
    }
    return first;
  }

  private List<String> lines() {
    var lines = new ArrayList<LogChunk>();
    sent.drainTo(lines);
    return lines.stream().map(chunk -> chunk.text().toString()).toList();
  }

  private ApiServer api() {
    return new ApiServer(
        URI.create("http://localhost:" + server.getLocalPort()),
        folder.resolve("token"),
        folder.resolve("ca.crt"));
  }
}
