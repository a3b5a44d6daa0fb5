package io.ringside.streams.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Text;
import io.ringside.streams.fact.Fact;
import io.ringside.streams.fact.LogFacts;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.recorded.Lines;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkReadingTest {
  private static final String LINE = "pod:7:7 [0] NCCL INFO Using network Net%d";
  private static final int WIDTH = LINE.length(); // the number takes two places, LF one

  private final NodeJoin join = new NodeJoin();
  private final SourceState state = new SourceState();

  @Test
  void readsEachLineOnce() {
    assertThat(networks(join.read(chunk(0, 0, 10, 13), state))).containsExactly(10, 11, 12);
    assertThat(join.read(chunk(0, 0, 10, 13), state)).isEmpty();
  }

  @Test
  void takesTheNewLinesOfAChunkThatWasCutAnewAfterAKill() {
    join.read(chunk(0, 0, 10, 13), state);
    // the agent never saw the acknowledgement: it reads on from line 10, and further than before
    var again = join.read(chunk(0, 0, 10, 15), state);
    assertThat(networks(again)).containsExactly(13, 14);
    assertThat(again.orElseThrow().gaps()).isZero();
  }

  @Test
  void takesALineWithoutItsHeaderForSplicedAmongLinesThatHaveOne() {
    var chunk =
        Lines.of(
            0,
            false,
            "a:1:1 [0] NCCL INFO Using network IB",
            "[0] NCCL INFO Using network Socket",
            "a:1:1 [0] NCCL INFO NCCL version 2.28.9+cuda13.0");

    var facts = join.read(chunk, new SourceState()).orElseThrow();

    assertThat(facts.spliced()).isEqualTo(1);
    assertThat(facts.writers()).singleElement().satisfies(it -> assertThat(it.pid()).isEqualTo(1));
  }

  /// Megatron-LM's own stamp, behind whatever a launcher puts before it.
  @ParameterizedTest
  @ValueSource(
      strings = {" ", "15:  ", " 3:  ", "[15]: ", "[default3]: ", "[default3]:[default3]: "})
  void aStepReachesTheTimeOfItsOwnStamp(String label) {
    var step =
        label
            + "[2026-11-13 08:0%d:21.500000] iteration %8d/   20000 | consumed samples: 5120 |"
            + " elapsed time per iteration (ms): 1972.4 | global batch size:   512 |";
    var chunk = chunk(0, 0, 0, List.of(step.formatted(0, 10), step.formatted(1, 40)));

    assertThat(join.read(chunk, new SourceState()).orElseThrow().toNanos())
        .isEqualTo(Nanos.of(Instant.parse("2026-11-13T08:01:21.5Z")));
  }

  @Test
  void believesNoTimeLongAfterALineWasRead() {
    var chunk = Lines.of(0, false, "a:1:1 [0] NCCL INFO NCCL version 2.28.9+cuda13.0", "b", "c");
    long read = Nanos.of(Lines.AT);
    for (long ahead : new long[] {3_600_000_000_000L, 74L * 365 * 86_400_000_000_000L}) {
      var nanos = new long[] {read - 1, read + ahead, read - 2};
      assertThat(join.read(stamped(chunk, nanos, true), new SourceState()).orElseThrow().toNanos())
          .isEqualTo(read - 1);
      // a recording may be read at any time, but one moment alone is not believed there either
      assertThat(join.read(stamped(chunk, nanos, false), new SourceState()).orElseThrow().toNanos())
          .isEqualTo(read - 1);
      var goesOn = new long[] {read - 1, read + ahead, read + ahead + 2_000_000_000L};
      assertThat(
              join.read(stamped(chunk, goesOn, false), new SourceState()).orElseThrow().toNanos())
          .isEqualTo(read + ahead + 2_000_000_000L);
    }
    assertThat(
            join.read(stamped(chunk, new long[] {read, read, read + 1_000_000_000L}, true), state)
                .orElseThrow()
                .toNanos())
        .isEqualTo(read + 1_000_000_000L);
  }

  private static LogChunk stamped(LogChunk chunk, long[] nanos, boolean live) {
    return new LogChunk(
        chunk.source(),
        chunk.epoch(),
        chunk.sequence(),
        chunk.firstOffset(),
        chunk.nextOffset(),
        chunk.readAt(),
        live,
        false,
        chunk.text(),
        chunk.offsets(),
        0,
        nanos,
        chunk.cut());
  }

  @Test
  void countsAGap() {
    join.read(chunk(0, 0, 10, 12), state);
    var later = join.read(chunk(0, 5, 20, 21), state);
    assertThat(networks(later)).containsExactly(20);
    assertThat(later.orElseThrow().gaps()).isEqualTo(1);
  }

  @Test
  void beginsAnewWithTheNextIncarnationOfTheFile() {
    join.read(chunk(0, 0, 10, 13), state);
    assertThat(networks(join.read(chunk(1, 0, 10, 12), state))).containsExactly(10, 11);
    assertThat(join.read(chunk(0, 1, 13, 14), state)).isEmpty();
  }

  @Test
  void findsTheCommunicatorOfAnEdgeByThePlaceOfItsOwnEnd() {
    var init =
        "pod:7:9 [0] NCCL INFO ncclCommInitRank comm 0x5%d rank %d nranks %d cudaDev 3 nvmlDev 3 busId 4000 commId 0x%s - Init %s";
    var edges =
        comms(
            init.formatted(1, 3, 8, "a", "START"),
            init.formatted(1, 3, 8, "a", "COMPLETE"),
            init.formatted(2, 1, 4, "b", "START"),
            init.formatted(2, 1, 4, "b", "COMPLETE"),
            "pod:7:7 [3] NCCL INFO AllReduce: opCount 0 sendbuff 0x1 recvbuff 0x2 count 4 datatype 9 op 0 root 0 comm 0x51 [nranks=8] stream 0x3",
            "pod:7:7 [3] NCCL INFO Channel 00/0 : 3[3] -> 4[4] via P2P/CUMEM",
            // sent on to the next stage of a pipeline, while the stage's own communicator was used
            // last
            "pod:7:7 [3] NCCL INFO Channel 00/1 : 1[3] -> 2[3] [send] via NET/Socket/0",
            "pod:7:7 [3] NCCL INFO Channel 00/1 : 0[3] -> 1[3] [receive] via NET/Socket/0");

    assertThat(edges).containsExactly("0xa", "0xb", "0xb");
  }

  @Test
  void takesAnEdgeForOneOfTheCommunicatorThatWasUsedLastIfItFitsSeveral() {
    var init =
        "pod:7:9 [0] NCCL INFO ncclCommInitRank comm 0x5%d rank 1 nranks 4 cudaDev 1 nvmlDev 1 busId 4000 commId 0x%s - Init COMPLETE";
    var edges =
        comms(
            init.formatted(1, "a"),
            init.formatted(2, "b"),
            "pod:7:7 [1] NCCL INFO AllReduce: opCount 0 sendbuff 0x1 recvbuff 0x2 count 4 datatype 9 op 0 root 0 comm 0x51 [nranks=4] stream 0x3",
            "pod:7:7 [1] NCCL INFO Channel 00/0 : 1[1] -> 2[1] [send] via NET/Socket/0",
            "pod:7:7 [1] NCCL INFO Send: opCount 0 sendbuff 0x1 recvbuff 0x2 count 4 datatype 9 op 0 root 2 comm 0x52 [nranks=4] stream 0x3",
            "pod:7:7 [1] NCCL INFO Channel 00/1 : 1[1] -> 2[1] [send] via NET/Socket/0");

    assertThat(edges).containsExactly("0xa", "0xb");
  }

  @Test
  void namesCommunicatorsWithoutACommIdBySizeAndOrder() {
    var up =
        "pod:7:9 [%d] NCCL INFO comm 0x5%d rank %d nranks %d cudaDev %d busId %d000 - Init COMPLETE";
    assertThat(
            names(
                up.formatted(0, 1, 0, 8, 0, 1),
                up.formatted(1, 2, 1, 8, 1, 2), // the process's second GPU in the same one
                up.formatted(0, 3, 0, 2, 0, 1),
                up.formatted(0, 4, 0, 8, 0, 1)))
        .containsExactly("of 8 #1", "of 8 #1", "of 2 #1", "of 8 #2");
  }

  @Test
  void takesAPointerThatWasUsedSinceForThatOfAnotherCommunicator() {
    var up = "pod:7:9 [0] NCCL INFO comm 0x51 rank 0 nranks 8 cudaDev 0 busId 1000 - Init COMPLETE";
    var call =
        "pod:7:7 [0] NCCL INFO AllReduce: opCount 0 sendbuff 0x1 recvbuff 0x2 count 4 datatype 9 op 0 root 0 comm 0x51 [nranks=8] stream 0x3";
    var gone = up.replace("Init", "Destroy");

    assertThat(names(up, up)).containsExactly("of 8 #1");
    assertThat(names(up, call, up)).containsExactly("of 8 #1", "of 8 #2");
    assertThat(names(up, gone, up)).containsExactly("of 8 #1", "of 8 #1", "of 8 #2");
    assertThat(names(gone)).isEmpty();
  }

  /// The communicators of the init lines among these, read as a file of its own.
  private List<String> names(String... lines) {
    return join
        .read(chunk(0, 0, 0, List.of(lines)), new SourceState())
        .orElseThrow()
        .facts()
        .stream()
        .filter(fact -> fact.event() instanceof NcclEvent.CommInit)
        .map(Fact::comm)
        .toList();
  }

  /// The communicators of the edges among these lines.
  private List<String> comms(String... lines) {
    return join.read(chunk(0, 0, 0, List.of(lines)), state).orElseThrow().facts().stream()
        .filter(fact -> fact.event() instanceof NcclEvent.Edge)
        .map(Fact::comm)
        .toList();
  }

  /// Lines `from` to `to`, each at its own place in the file; line 10 is the first.
  private static LogChunk chunk(long epoch, long sequence, int from, int to) {
    var lines = IntStream.range(from, to).mapToObj(LINE::formatted).toList();
    return chunk(epoch, sequence, (long) (from - 10) * WIDTH, lines);
  }

  private static LogChunk chunk(long epoch, long sequence, long offset, List<String> lines) {
    var offsets = new int[lines.size()];
    int length = 0;
    for (int line = 0; line < offsets.length; line++) {
      offsets[line] = length;
      length += lines.get(line).length() + 1;
    }
    return new LogChunk(
        new LogSource("", "node", "", "pod", "", "", "job", "pod.log"),
        epoch,
        sequence,
        offset,
        offset + length,
        Instant.EPOCH,
        false,
        false,
        Text.of(String.join("\n", lines)),
        offsets,
        0,
        new long[0],
        new int[0]);
  }

  private static List<Integer> networks(Optional<LogFacts> facts) {
    return facts.orElseThrow().facts().stream()
        .map(Fact::text)
        .map(text -> Integer.valueOf(text.substring(text.length() - 2)))
        .toList();
  }
}
