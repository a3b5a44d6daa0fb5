package io.ringside.lab.evaluate;

import io.ringside.lab.simulate.JobGenerator.Ends;
import io.ringside.lab.simulate.JobKind;
import io.ringside.lab.simulate.JobPlan;
import io.ringside.lab.simulate.PaceFault;
import io.ringside.schemas.event.RunBill.Ahead;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What a fault went on to cost beside what was said in the midst of it.
///
/// @param job in words, with what is needed to generate it again
/// @param hard what makes the fault hard to find, empty if nothing does
/// @param share of the time that it took of the job from then on until it was over: the same chance
///   played without it
/// @param said when three fifths of it had passed
record OutlookTrial(String job, JobKind kind, String hard, double share, List<Ahead> said) {
  private static final double PASSED = 0.6;

  OutlookTrial {
    said = List.copyOf(said);
  }

  /// The steps of a fault.
  ///
  /// @param now the last step before it is asked what is ahead
  /// @param last the fault's last step
  record Steps(int now, int last) {}

  /// Empty where nothing holds for a time.
  static Optional<Steps> steps(JobPlan plan) {
    int end = plan.steps();
    var of =
        Stream.of(
                plan.faults(PaceFault.Straggler.class).stream()
                    .map(it -> new Steps(it.fromStep(), Math.min(end, it.toStep()) - 1)),
                plan.faults(PaceFault.MovingLoad.class).stream()
                    .map(it -> new Steps(it.fromStep(), Math.min(end, it.toStep()) - 1)),
                plan.faults(PaceFault.SlowerSteps.class).stream()
                    .map(it -> new Steps(it.fromStep(), end - 1)),
                plan.faults(PaceFault.SlowerRun.class).stream().map(_ -> new Steps(0, end - 1)))
            .flatMap(each -> each)
            .findFirst();
    return of.map(it -> new Steps(it.now() + (int) (PASSED * (it.last() - it.now())), it.last()))
        .filter(it -> it.now() < it.last());
  }

  static OutlookTrial of(
      String job, JobKind kind, String hard, Ends ends, Steps steps, List<Ahead> said) {
    return new OutlookTrial(job, kind, hard, ends.share(steps.now(), steps.last()), said);
  }

  /// The share that was said.
  double told() {
    return said.stream().mapToDouble(Ahead::share).sum();
  }

  /// How wrong it is, as a share of what is true.
  double error() {
    return Math.abs(told() - share) / share;
  }

  /// Whether the truth lies where it was said to.
  boolean within() {
    return said.stream().mapToDouble(Ahead::lowShare).sum() <= share
        && share <= said.stream().mapToDouble(Ahead::highShare).sum();
  }
}
