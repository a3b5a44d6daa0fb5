package io.ringside.shipper.source.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The watch against a server that gives recorded answers, one after another.
@Timeout(60)
class PodWatchTest {
  private static final String KILLED =
      """
      {"type": "MODIFIED", "object": {"kind": "Pod", "apiVersion": "v1",
       "metadata": {"name": "llama-worker-2", "namespace": "ml", "uid": "5e1c-2", "resourceVersion": "812"},
       "spec": {"nodeName": "gpu-1", "containers": [{"name": "train", "env": [{"name": "TOKEN", "value": "secret"}]}]},
       "status": {"phase": "Failed", "containerStatuses": [{"name": "train", "state": {"terminated":
         {"exitCode": 137, "reason": "OOMKilled", "message": "key hush", "finishedAt": "2026-11-20T20:42:26Z"}}}]}}}
      """
          .replace("\n", " ");

  private static final String RUNNING =
      """
      {"type": "ADDED", "object": {"metadata": {"name": "llama-worker-1", "namespace": "ml", "uid": "5e1c-1", "resourceVersion": "700"},
       "spec": {"nodeName": "gpu-1"}, "status": {"phase": "Running", "containerStatuses": [{"name": "train", "state": {"running": {}}}]}}}
      """
          .replace("\n", " ");

  private static final String BOOKMARK =
      "{\"type\": \"BOOKMARK\", \"object\": {\"metadata\": {\"resourceVersion\": \"900\"}}}";

  private static final WatchTiming TIMING =
      new WatchTiming(
          Duration.ofSeconds(1),
          Duration.ofMillis(5),
          Duration.ofMillis(20),
          Duration.ofMinutes(10),
          Duration.ofSeconds(4));

  @TempDir private Path folder;
  private final BlockingQueue<LogChunk> sent = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
  private final KubernetesCounts counts = new KubernetesCounts();
  private final WitnessReachability reachability = new WitnessReachability(() -> Instant.EPOCH);
  private final List<UnreachedWitness> outOfReach = new CopyOnWriteArrayList<>();
  private final AtomicInteger answered = new AtomicInteger();
  private HttpServer server;
  private @Nullable PodWatch watch;

  /// Writes one answer.
  private interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  @BeforeEach
  void listen() throws IOException {
    Files.writeString(folder.resolve("token"), "t0ken\n");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  @AfterEach
  void close() {
    if (watch != null) {
      watch.close();
    }
    server.stop(0);
  }

  @Test
  void sendsWhatEndedAsThePodsOwnLineOnceAndGoesOnFromTheLastVersion() throws Exception {
    watch(lines(RUNNING, KILLED, KILLED, BOOKMARK), lines(KILLED));

    var chunk = sent.take();
    assertThat(chunk.text().toString())
        .isEqualTo(
            "kubernetes: pod/llama-worker-2 OOMKilled (container train, exit code 137): key ***");
    assertThat(chunk.source().namespace()).isEqualTo("ml");
    assertThat(chunk.source().pod()).isEqualTo("llama-worker-2");
    assertThat(chunk.source().job()).isEqualTo("llama");
    assertThat(chunk.source().node()).isEqualTo("gpu-1");
    assertThat(chunk.end()).isTrue();
    assertThat(asked.take())
        .startsWith("Bearer t0ken /api/v1/pods?fieldSelector=spec.nodeName%3Dgpu-1&watch=true")
        .doesNotContain("resourceVersion");
    assertThat(asked.take()).endsWith("&resourceVersion=900");
    assertThat(asked.take()).endsWith("&resourceVersion=812");
    assertThat(sent).isEmpty();
  }

  @Test
  void saysNothingOfPodsOfOtherNodesOrWithoutAName() throws Exception {
    watch(
        lines(
            KILLED.replace("\"gpu-1\"", "\"gpu-2\""),
            KILLED.replace("\"namespace\": \"ml\"", "\"namespace\": \"../x\""),
            KILLED.replace("llama-worker-2", "a\\nb"),
            KILLED.replace("worker-2", "worker-7")));

    assertThat(sent.take().source().pod()).isEqualTo("llama-worker-7");
    assertThat(sent).isEmpty();
  }

  @Test
  void saysOnceWhoPaysForAPodWithGpus() throws Exception {
    var owned =
        RUNNING
            .replace(
                "\"uid\"",
                "\"labels\": {\"example.com/team\": \"nlp\", \"app\": \"llama\"}, \"uid\"")
            .replace(
                "\"nodeName\": \"gpu-1\"",
                "\"nodeName\": \"gpu-1\", \"containers\": [{\"resources\": {\"limits\": {\"nvidia.com/gpu\": \"8\"}}}]");
    watch(
        lines(
            owned.replace("nvidia.com/gpu", "cpu").replace("worker-1", "worker-3"),
            owned.replace("\"nlp\"", "\"n\\nlp\"").replace("worker-1", "worker-4"),
            RUNNING,
            owned,
            owned.replace("ADDED", "MODIFIED"),
            KILLED));

    var chunk = sent.take();
    assertThat(chunk.text().toString()).isEqualTo("kubernetes: pod/llama-worker-1 Team: nlp");
    assertThat(chunk.source().job()).isEqualTo("llama");
    assertThat(sent.take().text().toString()).contains("OOMKilled");
    assertThat(sent).isEmpty();
  }

  @Test
  void leavesOutWhatEndedLongBeforeItBegan() throws Exception {
    watch(lines(KILLED.replace("20:42:26Z", "20:12:26Z"), KILLED.replace("worker-2", "worker-7")));

    assertThat(sent.take().source().pod()).isEqualTo("llama-worker-7");
  }

  @Test
  void beginsAnewWhereItsVersionIsGone() throws Exception {
    watch(
        lines(BOOKMARK),
        exchange -> exchange.sendResponseHeaders(410, -1),
        lines(BOOKMARK, "{\"type\": \"ERROR\", \"object\": {\"kind\": \"Status\", \"code\": 410}}"),
        lines(KILLED));

    assertThat(sent.take().text().toString()).contains("OOMKilled");
    assertThat(asked.take()).doesNotContain("resourceVersion");
    assertThat(asked.take()).contains("resourceVersion=900");
    assertThat(asked.take()).doesNotContain("resourceVersion");
    assertThat(asked.take()).doesNotContain("resourceVersion");
    assertThat(counts.failures.of(Failure.GONE)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 504})
  void beginsAnewWhereItsVersionIsNoneThatTheServerKnows(int status) throws Exception {
    watch(lines(BOOKMARK), exchange -> exchange.sendResponseHeaders(status, -1), lines(KILLED));

    assertThat(sent.take().text().toString()).contains("OOMKilled");
    asked.take();
    assertThat(asked.take()).contains("resourceVersion=900");
    assertThat(asked.take()).doesNotContain("resourceVersion");
  }

  @Test
  void keepsItsVersionThroughAServersTroubleAndTakesNoneThatCannotBeOne() throws Exception {
    watch(
        lines(BOOKMARK, BOOKMARK.replace("900", "9".repeat(300)), BOOKMARK.replace("900", "9 0")),
        exchange -> exchange.sendResponseHeaders(503, -1),
        exchange -> exchange.sendResponseHeaders(429, -1),
        lines(KILLED));

    assertThat(sent.take().text().toString()).contains("OOMKilled");
    asked.take();
    for (int i = 0; i < 3; i++) {
      assertThat(asked.take()).endsWith("resourceVersion=900");
    }
  }

  @Test
  void readsItsTokenAnewForEachQuestion() throws Exception {
    watch(
        exchange -> {
          Files.writeString(folder.resolve("token"), "renewed");
          exchange.sendResponseHeaders(401, -1);
        },
        lines(KILLED));

    assertThat(sent.take().text().toString()).contains("OOMKilled");
    assertThat(asked.take()).startsWith("Bearer t0ken ");
    assertThat(asked.take()).startsWith("Bearer renewed ");
  }

  @Test
  void asksNothingWithoutAToken() throws Exception {
    var token = folder.resolve("token");
    Files.delete(token);
    watch(lines(KILLED));

    while (counts.failures.of(Failure.UNREACHABLE) < 2) {
      Thread.onSpinWait();
    }
    assertThat(asked).isEmpty();
    Files.writeString(token, "late");
    assertThat(sent.take().text().toString()).contains("OOMKilled");
    assertThat(asked.take()).startsWith("Bearer late ");
  }

  @Test
  void restsLongerAfterEachFailureAndNotAfterAWatchOfUsualLength() throws Exception {
    var now = new AtomicLong();
    watch =
        new PodWatch(
            Identity.ofNode("", "gpu-1"),
            server(),
            TIMING,
            "example.com/team",
            line -> line,
            sent::add,
            counts,
            reachability.contact(UnreachedWitness.KUBERNETES),
            () -> Instant.parse("2026-11-20T20:43:00Z"),
            now::get);
    var rests = new ArrayList<Duration>();
    answer(
        exchange -> exchange.sendResponseHeaders(500, -1),
        exchange -> exchange.sendResponseHeaders(500, -1),
        exchange -> exchange.sendResponseHeaders(500, -1),
        exchange -> {
          now.addAndGet(TIMING.length().toNanos());
          exchange.sendResponseHeaders(200, 0);
          exchange.close();
        });

    for (int i = 0; i < 4; i++) {
      watch.round();
      rests.add(watch.rest());
    }

    assertThat(rests)
        .containsExactly(
            TIMING.first().multipliedBy(2), TIMING.longest(), TIMING.longest(), TIMING.first());
  }

  @Test
  void goesOnAfterRefusalsAndCutOrWrongAnswers() throws Exception {
    watch(
        exchange -> exchange.sendResponseHeaders(401, -1),
        exchange -> exchange.sendResponseHeaders(500, -1),
        exchange -> {
          exchange.sendResponseHeaders(200, 10_000);
          exchange.getResponseBody().write(KILLED.substring(0, 300).getBytes(UTF_8));
          exchange.getResponseBody().flush();
          exchange.close();
        },
        lines("{\"type\": ", "7", "[]", "{\"type\": \"MODIFIED\", \"object\": 3}", "<html>"),
        lines(KILLED));

    assertThat(sent.take().text().toString()).contains("OOMKilled");
    assertThat(counts.failures.of(Failure.REFUSED)).isEqualTo(1);
    assertThat(counts.failures.of(Failure.UNREACHABLE)).isEqualTo(1);
    assertThat(counts.failures.of(Failure.GARBAGE)).isEqualTo(5);
    assertThat(reachability.unreached()).isEmpty();
  }

  @Test
  void isOutOfReachUntilTheServerAnswers() throws Exception {
    watch(
        exchange -> exchange.sendResponseHeaders(403, -1),
        exchange -> exchange.sendResponseHeaders(403, -1),
        exchange -> exchange.sendResponseHeaders(403, -1),
        exchange -> {
          outOfReach.addAll(reachability.unreached());
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write((KILLED + "\n").getBytes(UTF_8));
          exchange.close();
        });

    sent.take();
    assertThat(outOfReach.getFirst())
        .satisfies(
            it -> {
              assertThat(it.witness()).isEqualTo("Kubernetes");
              assertThat(it.why())
                  .isEqualTo("cannot watch pods: the API server answered with status 403");
              assertThat(it.absent()).isFalse();
            });
    assertThat(reachability.unreached()).isEmpty();
  }

  @Test
  void skipsALineLongerThanAnyPodAndLeavesOneWithoutEnd() throws Exception {
    var block = "x".repeat(1 << 20).getBytes(UTF_8);
    watch(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          var out = exchange.getResponseBody();
          for (int i = 0; i < 3; i++) {
            out.write(block);
          }
          out.write(("\n" + KILLED + "\n").getBytes(UTF_8));
          exchange.close();
        },
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          for (int i = 0; i < 64; i++) {
            exchange.getResponseBody().write(block);
          }
        },
        lines(KILLED.replace("worker-2", "worker-7")));

    assertThat(sent.take().source().pod()).isEqualTo("llama-worker-2");
    assertThat(sent.take().source().pod()).isEqualTo("llama-worker-7");
    assertThat(counts.failures.of(Failure.TOO_LARGE)).isEqualTo(2);
  }

  @Test
  void leavesAServerThatSaysNothingMore() throws Exception {
    watch(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write((BOOKMARK + "\n").getBytes(UTF_8));
          exchange.getResponseBody().flush();
        },
        lines(KILLED));

    assertThat(sent.take().text().toString()).contains("OOMKilled");
  }

  @Test
  void endsAtOnceWhereTheServerSaysNothing() throws Exception {
    watch(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write((KILLED + "\n").getBytes(UTF_8));
          exchange.getResponseBody().flush();
        });
    sent.take();
    Objects.requireNonNull(watch);

    long began = System.nanoTime();
    watch.close();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(2_500));
  }

  private static Answer lines(String... lines) {
    return exchange -> {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write((String.join("\n", lines) + "\n").getBytes(UTF_8));
      exchange.close();
    };
  }

  /// Gives these answers, and after them the last one again.
  private void watch(Answer... answers) {
    answer(answers);
    watch =
        new PodWatch(
            Identity.ofNode("", "gpu-1"),
            server(),
            TIMING,
            "example.com/team",
            line -> line.replace("hush", "***"),
            sent::add,
            counts,
            reachability.contact(UnreachedWitness.KUBERNETES),
            () -> Instant.parse("2026-11-20T20:43:00Z"),
            System::nanoTime);
    watch.start();
  }

  private ApiServer server() {
    return new ApiServer(
        URI.create("http://localhost:" + server.getAddress().getPort()),
        folder.resolve("token"),
        folder.resolve("ca.crt"));
  }

  private void answer(Answer... answers) {
    var all = List.of(answers);
    server.createContext(
        "/",
        exchange -> {
          asked.add(
              exchange.getRequestHeaders().getFirst("Authorization")
                  + " "
                  + exchange.getRequestURI().toASCIIString());
          all.get(Math.min(answered.getAndIncrement(), all.size() - 1)).to(exchange);
        });
  }
}
