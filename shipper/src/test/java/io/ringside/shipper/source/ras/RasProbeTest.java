package io.ringside.shipper.source.ras;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.PackedWitness;
import io.ringside.schemas.event.UnreachedWitness;
import io.ringside.shipper.source.WitnessReachability;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class RasProbeTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00.250Z");

  private static final String JSON =
      """
      {
        "nccl_version": "2.28.9",
        "communicators_count": 1,
        "communicators": [
          {
            "hash": "0xaa00bdab65740a8d",
            "size": 2,
            "ranks": [
              {
                "rank": 0,
                "host": "%s",
                "pid": 1029,
                "collective_counts": {"AllReduce": 12}
              }
            ],
            "missing_ranks": []
          }
        ]
      }
      """;

  private static final String TEXT =
      """
      NCCL version 2.26.2 compiled with CUDA 12.8
      Job summary
      ===========
      Communicators... (0.00s)
      ===========
      """;

  private final RasCounts counts = new RasCounts();
  private final WitnessReachability reachability = new WitnessReachability(() -> NOW);
  private final BlockingQueue<LogChunk> sent = new LinkedBlockingQueue<>();

  /// Stands still unless a test moves it: no load on the machine makes another question due.
  private final AtomicLong now = new AtomicLong();

  @Test
  void handsOnAnAnswerPackedAsItIsReadFromAFile() throws Exception {
    try (var server = new RasServer(RasServer.Kind.NEW, JSON.formatted("127.0.0.1"), TEXT);
        var probe = probe(server.name())) {
      probe.start();
      var chunk = sent.take();

      assertThat(chunk.source().speaksOfNode()).isTrue();
      assertThat(unpacked(chunk))
          .startsWith("### 1795348800.250 json ")
          .contains("\"hash\": \"0xaa00bdab65740a8d\"");
      assertThat(server.commands)
          .containsExactly("CLIENT PROTOCOL 2", "TIMEOUT 3", "SET FORMAT json", "VERBOSE STATUS");
      assertThat(counts.answers.sum()).isEqualTo(1);
    }
  }

  @Test
  void takesTheTextOfVersionsThatKnowNoJson() throws Exception {
    try (var server = new RasServer(RasServer.Kind.OLD, "", TEXT);
        var probe = probe(server.name())) {
      probe.start();

      assertThat(unpacked(sent.take()))
          .startsWith("### 1795348800.250 text ")
          .contains("NCCL version 2.26.2")
          .doesNotContain("ERROR");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "HANGS, TIMEOUT",
    "TRICKLES, TIMEOUT",
    "HTTP, GARBAGE",
    "GARBAGE, GARBAGE",
    "CUTS, GARBAGE",
    "HUGE, TOO_LARGE"
  })
  void isStoppedByNoServer(RasServer.Kind kind, Failure failure) throws IOException {
    try (var server = new RasServer(kind, JSON.formatted("127.0.0.1"), TEXT)) {
      var client = client(Duration.ofMillis(failure == Failure.TIMEOUT ? 400 : 30_000));

      assertThat(client.ask(server.address(), true)).isEqualTo(new RasReply.None(failure));
    }
  }

  @Test
  void findsNobodyWhereNobodyListens() throws IOException {
    InetSocketAddress address;
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address = new InetSocketAddress(InetAddress.getLoopbackAddress(), taken.getLocalPort());
    }

    var client = client(Duration.ofSeconds(30));
    assertThat(client.ask(address, true)).isEqualTo(new RasReply.None(Failure.ABSENT));
    assertThat(client.ask(InetSocketAddress.createUnresolved("no.such.invalid", 1), true))
        .isEqualTo(new RasReply.None(Failure.ABSENT));
  }

  /// The second address is asked although the first one hangs; what failed is counted.
  @Test
  void asksTheOthersWhileOneHangs() throws Exception {
    try (var hangs = new RasServer(RasServer.Kind.HANGS, "", "");
        var server = new RasServer(RasServer.Kind.NEW, JSON.formatted("127.0.0.1"), TEXT);
        var probe = probe(System::nanoTime, hangs.name(), server.name())) {
      probe.start();

      assertThat(sent.take().source().file()).isEqualTo("ras " + server.name());
      assertThat(counts.failures.of(Failure.TIMEOUT)).isEqualTo(1);
    }
  }

  @Test
  void tellsWhatGaveNoAnswerTwice() throws Exception {
    try (var garbage = new RasServer(RasServer.Kind.GARBAGE, "", "");
        var server = new RasServer(RasServer.Kind.NEW, JSON.formatted("127.0.0.1"), TEXT)) {
      var nobody = nobody();
      try (var probe = probe(garbage.name(), nobody, server.name())) {
        probe.start();
        sent.take();
        assertThat(reachability.unreached()).isEmpty();
        now.addAndGet(Duration.ofMillis(40).toNanos());
        sent.take();

        assertThat(reachability.unreached())
            .extracting(
                UnreachedWitness::witness,
                UnreachedWitness::why,
                UnreachedWitness::absent,
                UnreachedWitness::tries)
            .containsExactly(
                tuple(
                    "RAS",
                    garbage.name() + " answered something else, or not to the end",
                    false,
                    2),
                tuple("RAS", "nobody listens at " + nobody, true, 2));
      }
    }
  }

  /// It listens from the third question on.
  @Test
  void saysNoMoreOfWhatAnswersAgain() throws Exception {
    var address = nobody();
    try (var probe = probe(address)) {
      probe.start();
      while (reachability.unreached().isEmpty()) {
        now.addAndGet(Duration.ofMillis(40).toNanos());
        Thread.sleep(5);
      }
      int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
      try (var _ = new RasServer(RasServer.Kind.NEW, JSON.formatted("127.0.0.1"), TEXT, port)) {
        while (sent.isEmpty()) {
          now.addAndGet(Duration.ofMillis(40).toNanos());
          Thread.sleep(5);
        }
        assertThat(reachability.unreached()).isEmpty();
      }
    }
  }

  private static String nobody() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "127.0.0.1:" + taken.getLocalPort();
    }
  }

  @Test
  void asksForTextWhereJsonIsTooLarge() throws Exception {
    var large = "{\"nccl_version\": \"2.28.9\", \"communicators\": [" + " ".repeat(2 << 20) + "]}";
    try (var server = new RasServer(RasServer.Kind.NEW, large, TEXT);
        var probe = probe(System::nanoTime, server.name())) {
      probe.start();

      assertThat(unpacked(sent.take())).contains(" text ");
      assertThat(counts.failures.of(Failure.TOO_LARGE)).isEqualTo(1);
    }
  }

  @Test
  void leavesAJobToTheAgentOfItsRankZero() throws Exception {
    try (var here = new RasServer(RasServer.Kind.NEW, JSON.formatted("127.0.0.1"), TEXT);
        var elsewhere = new RasServer(RasServer.Kind.NEW, JSON.formatted("192.0.2.7"), TEXT);
        var probe = probe(elsewhere.name(), here.name())) {
      probe.start();
      int ofHere = 0;
      int ofElsewhere = 0;
      while (ofHere < 25) {
        if (sent.take().source().file().equals("ras " + here.name())) {
          ofHere++;
          now.addAndGet(Duration.ofMillis(40).toNanos());
        } else {
          ofElsewhere++;
        }
      }

      assertThat(ofElsewhere).isEqualTo(3);
    }
  }

  @Test
  void asksOftenWhileNothingIsWrittenOrGpusSpin() {
    var lines = new AtomicLong();
    var nanos = new AtomicLong();
    var standstill = new StandstillGuess(lines::get, nanos::get);
    BooleanSupplier after5s =
        () -> {
          nanos.addAndGet(Duration.ofSeconds(5).toNanos());
          return standstill.isStandstill();
        };

    lines.set(1);
    assertThat(after5s.getAsBoolean()).isFalse();
    assertThat(after5s.getAsBoolean()).isFalse();
    assertThat(after5s.getAsBoolean()).isTrue();
    lines.set(2);
    assertThat(after5s.getAsBoolean()).isFalse();
    standstill.take(sample(100.0, 150.0));
    lines.set(3);
    assertThat(after5s.getAsBoolean()).isTrue();
    standstill.take(sample(100.0, 650.0));
    lines.set(4);
    assertThat(after5s.getAsBoolean()).isFalse();
  }

  private static RasClient client(Duration whole) {
    return new RasClient(Duration.ofSeconds(30), whole, 3, 1 << 20, System::nanoTime);
  }

  private RasProbe probe(String... addresses) {
    return probe(now::get, addresses);
  }

  private RasProbe probe(LongSupplier ticker, String... addresses) {
    return new RasProbe(
        "east",
        "n1",
        List.of(addresses),
        new RasProbe.Timing(Duration.ofMillis(40), Duration.ofMillis(40), Duration.ofMillis(5)),
        new StandstillGuess(() -> 0, System::nanoTime),
        new OwnAddresses(List.of(addresses)),
        text -> text,
        sent::add,
        counts,
        reachability,
        () -> NOW,
        ticker);
  }

  private static String unpacked(LogChunk chunk) throws IOException {
    var line = chunk.text().toString();
    var prefix = PackedWitness.START + PackedWitness.RAS + " ";
    assertThat(line).startsWith(prefix);
    var packed = Base64.getDecoder().decode(line.substring(prefix.length()));
    try (var in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private static GpuSample sample(double busy, double watts) {
    return new GpuSample(
        "east",
        "n1",
        NOW,
        List.of(
            new GpuReading(
                0,
                "0000:0b:00.0",
                "",
                "",
                busy,
                1.0,
                1.0,
                watts,
                700.0,
                1.0,
                1.0,
                1.0,
                0L,
                0L,
                null,
                null)));
  }
}
