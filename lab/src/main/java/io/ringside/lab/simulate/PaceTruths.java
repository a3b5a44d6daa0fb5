package io.ringside.lab.simulate;

import io.ringside.lab.simulate.PaceFault.Hang;
import io.ringside.lab.simulate.PaceFault.LateStart;
import io.ringside.lab.simulate.PaceFault.MovingLoad;
import io.ringside.lab.simulate.PaceFault.SlowerRun;
import io.ringside.lab.simulate.PaceFault.SlowerSteps;
import io.ringside.lab.simulate.PaceFault.Straggler;
import io.ringside.lab.simulate.Truth.Expected;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import java.util.Set;
import java.util.stream.Collectors;

/// What faults of pace must show as.
final class PaceTruths {
  /// A straggler is the last to arrive in most rounds, by definition.
  private static final double MOST_STEPS = 0.5;

  /// Of the time, that a rank must lose to all others by being late now and then so that nobody may
  /// miss it. Not a number of the detectors: a quarter is what doubles nobody's bill, and what
  /// anybody would look at.
  private static final double PLAIN_SHARE = 0.25;

  /// From which share of GPU time on, lost to ranks that change, somebody must be told, and for how
  /// long.
  private static final double TOLD_SHARE = 0.6;

  private static final double TOLD_SECONDS = 120;

  /// From there on it is neither right nor wrong to tell of it.
  private static final double DOUBTED_SHARE = 0.3;

  private static final double DOUBTED_SECONDS = 30;

  private final StartedRun run;
  private final Truths truths;

  PaceTruths(StartedRun run, Truths truths) {
    this.run = run;
    this.truths = truths;
  }

  /// What noise alone may amount to: where some of many ranks take long now and then, all others
  /// wait.
  void noise() {
    if (run.timeline().secondsWaited(DOUBTED_SHARE) >= DOUBTED_SECONDS) {
      truths.tolerate(FindingKind.BARRIER_WAIT);
    }
  }

  void fault(PaceFault fault) {
    switch (fault) {
      case LateStart late ->
          truths.expect(
              Expected.of(
                      FindingKind.LATE_START,
                      late.seconds() >= 60 ? Severity.WARNING : Severity.INFO)
                  .on(Set.of(late.rank()))
                  .proven(run.at(run.connected()))
                  .hard(seesLateStart(late) ? "" : "before 2.23"));
      case Straggler straggler -> {
        // several of them are one finding
        if (straggler.equals(run.plan().faults(Straggler.class).getFirst())) {
          straggler(straggler);
        }
      }
      case MovingLoad moving -> moving(moving);
      case SlowerSteps slower -> slower(slower);
      case SlowerRun slower ->
          truths.expect(
              Expected.of(FindingKind.STEP_REGRESSION, Severity.WARNING)
                  .hard(
                      unseenSteps()
                          ? "no step lines"
                          : slower.ratio() < 1.3 ? "under 1.3 times" : noisy() ? "noisy" : ""));
      case Hang hang -> {
        truths.expect(
            Expected.of(FindingKind.HANG, Severity.CRITICAL)
                .on(Set.of(hang.rank()))
                .proven(
                    hang.watchdog()
                        ? run.at(run.timeline().stoppedAt() + hang.timeoutSeconds() + 0.05)
                        : null)
                .hard(hang.watchdog() ? "" : "silent"));
        if (hang.watchdog()) {
          // watchdogs take their processes down
          truths.tolerate(FindingKind.JOB_FAILED, FindingKind.NCCL_ERROR);
        }
      }
    }
  }

  private boolean seesLateStart(LateStart late) {
    return run.plan().version().bootstrapTimings() || (run.plan().torchLines() && late.rank() == 0);
  }

  private void straggler(Straggler straggler) {
    var plan = run.plan();
    var timeline = run.timeline();
    var all = plan.faults(Straggler.class);
    truths.expect(
        Expected.of(FindingKind.STRAGGLER, Severity.WARNING)
            .on(all.stream().map(Straggler::rank).collect(Collectors.toSet()))
            .because(all.size() > 1 ? "" : straggler.cause().label())
            .between(run.at(timeline.lateSince()), run.at(timeline.lateUntil()))
            .proven(run.at(timeline.lateSince()))
            .hard(hard(straggler, all.size())));
    // all steps are longer by what the others wait
    truths.tolerate(FindingKind.STEP_REGRESSION);
    if (all.size() > 1) {
      truths.tolerate(FindingKind.BARRIER_WAIT);
    }
  }

  private String hard(Straggler straggler, int several) {
    var plan = run.plan();
    if (plan.output() == Output.READ) {
      return "no times";
    }
    if (plan.schedule().syncEvery() > 1) {
      return "runs ahead";
    }
    if (plan.schedule().pipeline().stages() > 1) {
      return "pipeline";
    }
    double delay = straggler.share() * plan.stepSeconds();
    if (straggler.cause().gpu() && !plan.schedule().blocking()) {
      return "GPU only";
    }
    var uneven = plan.noise().unevenness();
    if (straggler.every() > 1) {
      double share = straggler.share() / straggler.every();
      return share / (1 + share) < PLAIN_SHARE
          ? "now and then, under a quarter"
          : straggler.share() < 6 * uneven.jitter() ? "now and then, noisy" : "now and then";
    }
    return straggler.share() < uneven.imbalance() + uneven.heldShare() + 0.05
        ? "no more than uneven data"
        : straggler.share() < 3.5 * uneven.jitter()
            ? "within jitter"
            : delay < 0.015
                ? "under 15 ms"
                : run.partly()
                    ? "one pod"
                    : run.timeline().lateLast() < MOST_STEPS
                        ? "rarely last"
                        : several > 1 ? "two of them" : "";
  }

  private void moving(MovingLoad moving) {
    double share = run.timeline().waitShare(moving.fromStep(), moving.toStep());
    double seconds = run.timeline().seconds(moving.fromStep(), moving.toStep());
    truths.tolerate(FindingKind.STEP_REGRESSION);
    if (share < TOLD_SHARE || seconds < TOLD_SECONDS) {
      truths.tolerate(FindingKind.BARRIER_WAIT);
      return;
    }
    truths.expect(
        Expected.of(FindingKind.BARRIER_WAIT, Severity.WARNING)
            .between(
                run.at(run.timeline().stepBegin(moving.fromStep(), 0)),
                run.at(run.timeline().stepEnd(moving.toStep() - 1, 0)))
            .hard(
                run.plan().output() == Output.READ
                    ? "no times"
                    : run.partly()
                        ? "one pod"
                        : run.plan().schedule().worldOnly() ? "" : "in groups"));
  }

  private void slower(SlowerSteps slower) {
    var timeline = run.timeline();
    var plan = run.plan();
    double seconds = timeline.seconds(slower.fromStep(), plan.steps());
    truths.expect(
        Expected.of(FindingKind.STEP_REGRESSION, Severity.WARNING)
            .between(run.at(timeline.stepBegin(slower.fromStep(), 0)), run.at(timeline.end()))
            .hard(
                unseenSteps()
                    ? "no step lines"
                    : slower.ratio() < 1.4
                        ? "under 1.4 times"
                        : seconds < 25 ? "short" : noisy() ? "noisy" : ""));
  }

  private boolean unseenSteps() {
    int rank = StepLines.rank(run.plan());
    return rank < 0 || !run.ranksWithLogs().contains(rank);
  }

  /// Whether healthy steps differ about as much.
  private boolean noisy() {
    var noise = run.plan().noise();
    return noise.unevenness().jitter() > 0.1
        || noise.unevenness().tail() > 0.01
        || noise.duties().evaluateEvery() > 0;
  }
}
