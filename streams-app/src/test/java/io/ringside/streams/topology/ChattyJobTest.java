package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.node.NodeJoin;
import io.ringside.streams.node.NodeState;
import io.ringside.streams.node.SourceState;
import io.ringside.streams.state.PackedInput;
import io.ringside.streams.state.StateBytes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Jobs of four ranks on two nodes that call 4,000 collectives a second and rank, judged from an
/// eighth of these and from all.
class ChattyJobTest {
  private static final int RANKS = 4;
  private static final int CALLS_PER_SECOND = 4_000;
  private static final double SECONDS = 70;
  private static final long BEGIN = 1_790_000_000_000_000_000L;
  private static final int LATE_RANK = 2;

  private static final StateBytes<JobState> JOBS = new StateBytes<>(JobState.class);
  private static final StateBytes<NodeState> NODES = new StateBytes<>(NodeState.class);
  private static final StateBytes<SourceState> SOURCES = new StateBytes<>(SourceState.class);

  /// Steps of so many calls; in each the late rank comes later than the others by a fifth of a
  /// step.
  @ParameterizedTest
  @CsvSource({"600, true", "400, false"})
  void findsTheStragglerInAnEighthOfTheCallsAsInAll(int calls, boolean unlike) {
    var all = judge(calls, unlike, 0.2, Integer.MAX_VALUE);
    var some = judge(calls, unlike, 0.2, CALLS_PER_SECOND / 8);

    var expected = straggler(all);
    var found = straggler(some);
    assertThat(found.ranks()).isEqualTo(expected.ranks()).containsExactly(LATE_RANK);
    assertThat(found.severity()).isEqualTo(expected.severity());
    assertThat(found.cause()).isEqualTo(expected.cause());
    assertThat(found.state()).isEqualTo(expected.state());
    assertThat(found.evidence()).isNotEmpty();
    assertThat(some.findings()).extracting(Finding::kind).containsExactly(FindingKind.STRAGGLER);
    assertThat(lost(found)).isCloseTo(lost(expected), within(0.25 * lost(expected)));
    assertThat(some.run().waits().lostSeconds())
        .isCloseTo(all.run().waits().lostSeconds(), within(0.25 * all.run().waits().lostSeconds()));
    assertThat(some.bytes()).isLessThan(all.bytes() / 4);
    assertThat(all.run().waits().leftOut()).isZero();
    assertThat(some.run().waits().rounds() + some.run().waits().leftOut())
        .isCloseTo(all.run().waits().rounds(), within(40L * 2048));
  }

  @Test
  void findsTheSameAfterKillsAndInAnotherOrderOfTheNodes() {
    var chunks = chunks(400, true, 0.2);
    var inOrder = judge(chunks, CALLS_PER_SECOND / 8, false);
    var mixed = new ArrayList<LogChunk>();
    for (int from = 0; from < chunks.size(); from += 60) {
      var part = new ArrayList<>(chunks.subList(from, Math.min(chunks.size(), from + 60)));
      part.sort(Comparator.comparing(chunk -> chunk.source().node(), Comparator.reverseOrder()));
      mixed.addAll(part);
    }
    var restored = judge(mixed, CALLS_PER_SECOND / 8, true);

    assertThat(restored.findings()).isEqualTo(inOrder.findings());
    assertThat(restored.run().waits()).isEqualTo(inOrder.run().waits());
  }

  @Test
  void findsNothingInAHealthyOne() {
    assertThat(judge(400, true, 0, CALLS_PER_SECOND / 8).findings()).isEmpty();
  }

  @Test
  void keepsEveryCallOfAJobThatIsNotChatty() {
    assertThat(judge(400, true, 0, CALLS_PER_SECOND * 2).run().waits().leftOut()).isZero();
  }

  private static Finding straggler(Verdict verdict) {
    return verdict.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.STRAGGLER)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no straggler in " + verdict.findings()));
  }

  private static double lost(Finding finding) {
    return finding.cost() == null || finding.cost().gpuSeconds() == null
        ? 0
        : finding.cost().gpuSeconds();
  }

  /// What became of a job.
  ///
  /// @param bytes that its nodes told about it
  private record Verdict(List<Finding> findings, RunSummary run, long bytes) {}

  private static Verdict judge(int calls, boolean unlike, double lateShare, int callsPerSecond) {
    return judge(chunks(calls, unlike, lateShare), callsPerSecond, false);
  }

  private static Verdict judge(List<LogChunk> chunks, int callsPerSecond, boolean killed) {
    long[] bytes = new long[1];
    var replay =
        new Replay(
            new NodeJoin(callsPerSecond),
            input -> bytes[0] += PackedInput.of(input).bytes().length);
    for (int i = 0; i < chunks.size(); i++) {
      if (killed && i % 500 == 250) {
        replay.restore(
            state -> NODES.read(NODES.write(state)),
            state -> SOURCES.read(SOURCES.write(state)),
            state -> JOBS.read(JOBS.write(state)));
      }
      replay.add(chunks.get(i));
    }
    var job = replay.jobs().values().iterator().next();
    var verdict =
        new Judge(Expectations.builtIn())
            .judge(job, Instant.ofEpochSecond(0, BEGIN).plusSeconds(90));
    return new Verdict(verdict.findings(), verdict.runs().getFirst(), bytes[0]);
  }

  private static List<LogChunk> chunks(int calls, boolean unlike, double lateShare) {
    var random = new SplittableRandom(calls);
    var nodes = List.of(new WrittenLog("a", "chatty"), new WrittenLog("b", "chatty"));
    var chunks = new ArrayList<LogChunk>();
    for (int rank = 0; rank < RANKS; rank++) {
      nodes.get(rank / 2).add(BEGIN, init(rank));
    }
    double step = calls / (double) CALLS_PER_SECOND;
    double at = 1;
    while (at < SECONDS) {
      double late = at > SECONDS / 4 ? lateShare * step : 0;
      for (int rank = 0; rank < RANKS; rank++) {
        double first = at + 0.0005 * random.nextDouble() + (rank == LATE_RANK ? late : 0);
        for (int i = 0; i < calls; i++) {
          double called = i == 0 ? first : at + late + 0.001 + 0.9 * i * step / calls;
          nodes.get(rank / 2).add(BEGIN + Math.round(called * 1e9), call(rank, i, unlike));
        }
      }
      at += step + late;
      nodes.forEach(node -> chunks.addAll(node.cut(false)));
    }
    nodes.forEach(node -> chunks.addAll(node.cut(true)));
    return chunks;
  }

  private static String init(int rank) {
    return head(rank)
        + "ncclCommInitRankConfig comm 0x5a%d rank %d nranks %d cudaDev %d nvmlDev %d busId %d0000 commId 0xc0ffee - Init COMPLETE"
            .formatted(rank, rank, RANKS, rank % 2, rank % 2, rank % 2 + 1);
  }

  private static String call(int rank, int index, boolean unlike) {
    return head(rank)
        + "AllReduce: opCount 0 sendbuff 0x7f00 recvbuff 0x7f10 count %d datatype 9 op 0 root 0 comm 0x5a%d [nranks=%d] stream 0x55"
            .formatted(unlike ? 1_000 + index % 300 + index / 300 : 1_000, rank, RANKS);
  }

  private static String head(int rank) {
    return "pod-%d:%d:%d [%d] NCCL INFO ".formatted(rank / 2, 100 + rank, 100 + rank, rank % 2);
  }
}
