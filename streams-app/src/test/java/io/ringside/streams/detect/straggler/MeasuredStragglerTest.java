package io.ringside.streams.detect.straggler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.PackedWitness;
import io.ringside.streams.recorded.Recorded;
import io.ringside.streams.recorded.WrittenRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Four ranks with a call each 0.45 s, of which NCCL Inspector measured how long each GPU was in
/// it.
class MeasuredStragglerTest {
  private static final String WORLD = "0x000000000000abc0";
  private static final String PAIR = "0x0000000000000def";
  private static final int ROUNDS = 400;
  private static final int STEADY = 3_000;
  private static final Instant BEGIN = Instant.parse("2026-11-20T10:00:00Z");

  private final Random random = new Random(7);
  private final StringBuilder measured = new StringBuilder();

  @Test
  void blamesTheRankThatCallsLateWhereNothingElseIsKnown() {
    assertThat(stragglers(calls(0.2))).containsExactly(List.of(0));
  }

  @Test
  void blamesItWhereTheOthersGpusWait() {
    measure(WORLD, 4, 0, 200_000);
    assertThat(stragglers(calls(0.2))).containsExactly(List.of(0));
  }

  /// It waits for its GPU in each step, and the others call ahead.
  @Test
  void blamesNobodyWhereNoGpuWaits() {
    measure(WORLD, 4, 0, 0);
    assertThat(stragglers(calls(0.2))).isEmpty();
  }

  /// All hosts call far ahead of their GPUs, and so in time.
  @Test
  void blamesTheRankWhoseGpuIsLateThoughAllCallInTime() {
    measure(WORLD, 4, 2, 140_000);
    assertThat(stragglers(calls(0))).containsExactly(List.of(2));
  }

  @Test
  void blamesNobodyWhereAllCallInTimeAndNoGpuWaits() {
    measure(WORLD, 4, 2, 0);
    assertThat(stragglers(calls(0))).isEmpty();
  }

  /// The Inspector's verdict takes no notice of waits below 20 ms.
  @Test
  void asksNotTheInspectorAboutShortWaits() {
    measure(WORLD, 4, 0, 15_000);
    assertThat(stragglers(calls(0.03))).containsExactly(List.of(0));
  }

  @Test
  void blamesTheRankForWhichItsPairWaitsAndAllOthersToo() {
    measure(PAIR, 2, 0, 120_000);
    measure(WORLD, 4, 0, 120_000);
    assertThat(stragglers(pairs())).containsExactly(List.of(0));
  }

  /// The first stage of a pipeline comes last to what it shares with the last one.
  @Test
  void blamesNobodyForAPairThatHasTime() {
    measure(PAIR, 2, 0, 120_000);
    measure(WORLD, 4, 0, 0);
    assertThat(stragglers(pairs())).isEmpty();
  }

  private WrittenRun calls(double late) {
    var run = WrittenRun.of(0, 4, "P2P/CUMEM");
    for (int round = 0; round < ROUNDS; round++) {
      for (int rank = 0; rank < 4; rank++) {
        double jitter = random.nextDouble(0.004);
        run.allReduce(2 + 0.45 * round + jitter + (rank == 0 ? late : 0), rank, 1 << 20);
      }
    }
    return run;
  }

  /// Ranks 0 and 3 have a communicator of their own; no line tells of calls.
  private static WrittenRun pairs() {
    var run = WrittenRun.of(0, 4, "P2P/CUMEM");
    for (int rank : List.of(0, 3)) {
      run.nccl(
          1,
          rank,
          "ncclCommInitRankConfig comm 0x77d0%04x rank %d nranks 2 cudaDev %d nvmlDev %d busId %x000 commId %s - Init COMPLETE"
              .formatted(rank, rank / 3, rank, rank, 0x1b + rank, PAIR));
    }
    return run.nccl(2 + 0.45 * ROUNDS, 0, "comm 0x55d00000 rank 0 nranks 4 - Destroy COMPLETE");
  }

  /// @param waits microseconds that all others are longer in each call than this rank
  private void measure(String comm, int ranks, int late, int waits) {
    for (int rank = 0; rank < ranks; rank++) {
      for (int round = 0; round < ROUNDS; round++) {
        measured.append(
            """
            {"header":{"id":"%s","comm_name":"unknown","rank":%d,"n_ranks":%d,"nnodes":1},"metadata":{"dump_timestamp_us":%d},\
            "coll_perf":{"coll":"AllReduce","coll_sn":%d,"coll_msg_size_bytes":4096,"coll_exec_time_us":%d}}
            """
                .formatted(
                    comm,
                    rank,
                    ranks,
                    BEGIN.toEpochMilli() * 1000 + 2_000_000 + round * 450_000L,
                    round,
                    STEADY + random.nextInt(500) + (rank == late ? 0 : waits)));
      }
    }
  }

  private List<List<Integer>> stragglers(WrittenRun run) {
    List<AgentEvent> events = new ArrayList<>();
    WrittenRun.recorded(run).logs().forEach(events::addAll);
    if (!measured.isEmpty()) {
      var beside = ((LogChunk) events.getFirst()).source();
      events.add(
          LogChunk.ofLine(
              new LogSource(
                  beside.cluster(),
                  beside.node(),
                  beside.namespace(),
                  beside.pod(),
                  beside.podUid(),
                  beside.container(),
                  beside.job(),
                  "inspector.log"),
              1,
              0,
              0,
              1,
              BEGIN,
              PackedWitness.line(PackedWitness.INSPECTOR, measured.toString().getBytes(UTF_8))
                  .orElseThrow()));
    }
    return Recorded.judged(events).findings().stream()
        .filter(finding -> finding.kind() == FindingKind.STRAGGLER)
        .map(Finding::ranks)
        .toList();
  }
}
