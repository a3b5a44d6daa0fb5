package io.ringside.lab.simulate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Everything that one pod prints in one run.
final class PodLines {
  private final JobPlan plan;
  private final Layout layout;
  private final Timeline timeline;
  private final double[] starts;
  private final double connected;
  private final Instant begin;
  private final SplittableRandom random;

  PodLines(
      JobPlan plan,
      Layout layout,
      Timeline timeline,
      double[] starts,
      double connected,
      Instant begin,
      SplittableRandom random) {
    this.plan = plan;
    this.layout = layout;
    this.timeline = timeline;
    this.starts = starts;
    this.connected = connected;
    this.begin = begin;
    this.random = random;
  }

  /// @param last whether it is the job's last run: the others are cut short
  List<Line> of(int pod, boolean last) {
    var lines = new ArrayList<Line>();
    var places = layout.places().subList(pod * plan.gpusPerPod(), (pod + 1) * plan.gpusPerPod());
    if (plan.framework() == Framework.NCCL_TESTS) {
      BenchLines.write(plan, places.getFirst(), starts[places.getFirst().rank()], lines, random);
      return lines;
    }
    if (plan.has(ProcessFault.NoInterface.class)) {
      for (var place : places) {
        var pen = new RankLineWriter(plan.version(), place, lines);
        pen.at(starts[place.rank()]);
        EndLines.noInterface(pen);
      }
      return lines;
    }
    var calls = new RunLines(plan, layout, timeline, lines, random);
    var hangs = new HangLines(plan, layout, timeline, lines, random);
    var ends = new EndLines(plan, layout, timeline, lines, random);
    var hang = plan.fault(PaceFault.Hang.class).filter(PaceFault.Hang::watchdog);
    var crash = plan.fault(ProcessFault.Crash.class);
    var death = plan.fault(ProcessFault.Death.class);
    var partial = plan.fault(NetworkFault.PartialFallback.class);
    for (var place : places) {
      new InitLines(plan, layout, place, starts, connected, timeline, lines).write();
      calls.calls(place);
      if (place.local() == 0) {
        calls.strangers(place);
      }
      if (place.rank() == StepLines.rank(plan)) {
        new StepLines(plan, timeline, begin, lines).write(place);
      }
      hang.ifPresent(it -> hangs.write(place, it));
      crash.ifPresent(it -> ends.crash(place, it));
      if (last && hang.isEmpty() && crash.isEmpty() && death.isEmpty() && partial.isEmpty()) {
        ends.destroy(place);
      }
      partial.ifPresent(it -> ends.unconnected(place, it));
    }
    death.ifPresent(
        it -> new DeathLines(plan, layout, timeline, begin, lines, random).write(places, it));
    calls.chatter(pod);
    return lines;
  }
}
