package io.ringside.streams.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.examine.ObservationMode;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge.JudgingScope;
import io.ringside.streams.publish.Samples;
import io.ringside.streams.recorded.WrittenRun;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How runs are numbered beside those that only the ledger knows.
class AttemptsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  @Test
  void goesOnCountingAfterRunsThatOnlyTheLedgerKnows() {
    assertThat(attempts(line("0xold", 7))).containsExactly(8);
  }

  @Test
  void countsARunOnceThatBoreTheNameOfAnotherOfItsCommunicators() {
    var smaller = "0x00000000000000aa";
    var run = WrittenRun.of(1, 4, "P2P/CUMEM");
    run.nccl(
        0.25,
        0,
        "ncclCommInitRankConfig comm 0x66d0 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId "
            + smaller
            + " - Init START");

    assertThat(attempts(run, line(smaller, 1))).containsExactly(1);
    assertThat(attempts(run, line("none", 1))).containsExactly(1);
  }

  private static List<Integer> attempts(RunSummary ledger) {
    return attempts(WrittenRun.of(1, 4, "P2P/CUMEM"), ledger);
  }

  private static List<Integer> attempts(WrittenRun run, RunSummary ledger) {
    var replay = new Replay();
    WrittenRun.recorded(run).logs().forEach(replay::addAll);
    JobState job = replay.jobs().values().iterator().next();
    return new Judge(Expectations.builtIn())
            .judge(job, List.of(ledger), NOW, ObservationMode.RECORDED, JudgingScope.DRAWING)
            .runs()
            .stream()
            .map(RunSummary::attempt)
            .toList();
  }

  private static RunSummary line(String run, int attempt) {
    return Samples.run("llama", run, attempt, RunSummary.State.ENDED);
  }
}
