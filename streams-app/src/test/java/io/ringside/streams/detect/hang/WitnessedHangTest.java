package io.ringside.streams.detect.hang;

import static io.ringside.schemas.event.LogChunk.NO_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.fact.WitnessFacts;
import io.ringside.streams.job.JobJoin;
import io.ringside.streams.job.JobState;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.parse.flightrecorder.RecordedDump;
import io.ringside.streams.witness.Witness;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/// Dumps without any log.
class WitnessedHangTest {
  private static final int RANKS = 4;

  /// Whoever asks a job at work for its dumps finds its ranks in a call.
  @Test
  void ranksInTheSameCallAreANote() {
    var hang =
        hang(
            (_, dump) ->
                dump.done("0", "all_reduce", 100).after(900).started("0", "all_reduce", 100));

    assertThat(hang.severity()).isEqualTo(Severity.INFO);
    assertThat(hang.ranks()).isEmpty();
    assertThat(hang.summary())
        .isEqualTo(
            "paused: 4 ranks wait in all_reduce 2 of default_pg, no witness tells for how long");
  }

  @Test
  void aRankThatNeverMadeTheCallIsCritical() {
    var hang =
        hang(
            (rank, dump) -> {
              dump.done("0", "all_reduce", 100);
              if (rank != 2) {
                dump.after(900).started("0", "all_reduce", 100);
              }
            });

    assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
    assertThat(hang.ranks()).containsExactly(2);
  }

  /// The newest call shows that the others are older than that.
  @Test
  void aLongWaitIsCriticalThoughNobodyIsNamed() {
    var hang =
        hang(
            (_, dump) ->
                dump.done("0", "all_reduce", 100)
                    .started("0", "all_reduce", 100)
                    .after(60_000)
                    .started("0", "all_reduce", 100));

    assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
    assertThat(hang.ranks()).isEmpty();
    assertThat(hang.summary())
        .isEqualTo("the job hangs: 4 ranks wait in all_reduce 2 of default_pg");
  }

  private static Finding hang(BiConsumer<Integer, RecordedDump> calls) {
    var job = new JobState();
    for (int rank = 0; rank < RANKS; rank++) {
      var dump = RecordedDump.of(rank, RANKS);
      calls.accept(rank, dump);
      var source = new LogSource("", "n1", "", "pod", "", "", "job", "nccl_trace_rank_" + rank);
      JobJoin.apply(
          new WitnessFacts(source, List.of(new Witness.Dumped(dump.dump())), NO_TIME), job);
    }
    return new Judge(Expectations.builtIn())
        .judge(job, Instant.parse("2026-11-21T12:00:00Z")).findings().stream()
            .filter(finding -> finding.kind() == FindingKind.HANG)
            .findFirst()
            .orElseThrow();
  }
}
