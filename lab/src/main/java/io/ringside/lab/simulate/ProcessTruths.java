package io.ringside.lab.simulate;

import io.ringside.lab.simulate.ProcessFault.Crash;
import io.ringside.lab.simulate.ProcessFault.Death;
import io.ringside.lab.simulate.ProcessFault.EnvironmentDrift;
import io.ringside.lab.simulate.ProcessFault.NoInterface;
import io.ringside.lab.simulate.ProcessFault.VersionMismatch;
import io.ringside.lab.simulate.Truth.Expected;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import java.util.Set;

/// What faults of the programs must show as.
final class ProcessTruths {
  private final StartedRun run;
  private final Truths truths;

  ProcessTruths(StartedRun run, Truths truths) {
    this.run = run;
    this.truths = truths;
  }

  void fault(ProcessFault fault) {
    var plan = run.plan();
    switch (fault) {
      case VersionMismatch mismatch -> {
        int pods = plan.podsPerNode();
        truths.expect(
            Expected.of(FindingKind.VERSION_MISMATCH, Severity.WARNING)
                .on(
                    // of two there is no telling which one is odd
                    plan.nodes() > 2
                        ? run.ranks(mismatch.node() * pods, (mismatch.node() + 1) * pods)
                        : Set.of())
                .proven(run.at(run.connected())));
      }
      case EnvironmentDrift drift ->
          truths.expect(
              Expected.of(FindingKind.ENV_DRIFT, Severity.WARNING)
                  .on(plan.pods() > 2 ? run.ranks(drift.pod(), drift.pod() + 1) : Set.of())
                  .proven(run.at(run.connected())));
      case Crash crash -> {
        truths.tolerate(FindingKind.JOB_FAILED);
        // of one that was killed only effects on the others show
        truths.expect(
            Expected.of(FindingKind.NCCL_ERROR, Severity.WARNING)
                .on(crash.cause() == Crash.Cause.KILLED ? Set.of() : Set.of(crash.rank()))
                .proven(run.at(run.timeline().stoppedAt() + 0.31)));
      }
      case NoInterface _ -> {
        truths.expect(Expected.of(FindingKind.NCCL_ERROR, Severity.CRITICAL));
        truths.tolerate(FindingKind.JOB_FAILED);
      }
      case Death death -> {
        boolean asked = death.cause().asked();
        truths.expect(
            Expected.of(FindingKind.JOB_FAILED, asked ? Severity.INFO : Severity.CRITICAL)
                .on(asked ? Set.of() : Set.of(death.rank()))
                .because(death.cause().label())
                .proven(run.at(run.timeline().stoppedAt() + 0.5)));
        if (!asked) {
          // what the others say follows from it
          truths.tolerate(FindingKind.NCCL_ERROR);
        }
        if (death.cause() == Death.Cause.ECC) {
          truths.tolerate(FindingKind.GPU_ERROR);
        }
      }
    }
  }
}
