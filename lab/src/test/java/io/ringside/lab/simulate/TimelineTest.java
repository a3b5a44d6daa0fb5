package io.ringside.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TimelineTest {

  /// The gradients of a pipeline go back through all stages: the first one is done last.
  @Test
  void letsTheFirstStageCallTheNormLast() {
    var plan = plan(Schedules.oneForwardOneBackward(2, 4, 0.05, 8), List.of());
    var timeline = timeline(plan);
    int norm = 3;
    for (int step = 5; step < 40; step++) {
      assertThat(timeline.enqueued(step, norm, 0)).isGreaterThan(timeline.enqueued(step, norm, 15));
    }
  }

  /// A program that is late for a moment while its GPU has work queued costs nobody anything.
  @Test
  void hidesLatenessThatNoGpuFeels() {
    var late = new PaceFault.Straggler(3, 12, 14, 1, 0.3, PaceFault.Straggler.Cause.HOST);
    var ahead = Schedule.ddp(3, false, 4).ahead(40);
    var plain = timeline(plan(ahead, List.of()));
    var delayed = timeline(plan(ahead, List.of(late)));
    assertThat(delayed.seconds(0, 40)).isLessThan(plain.seconds(0, 40) + 0.1);
  }

  @Test
  void letsEachProgramMakeItsOwnCallsOnly() {
    var plan = plan(Schedules.programs(2, 4, 8), List.of());
    var timeline = timeline(plan);
    assertThat(timeline.enqueued(3, 0, 0)).isFinite();
    assertThat(timeline.enqueued(3, 0, 15)).isNaN();
    assertThat(timeline.enqueued(3, 2, 0)).isNaN();
    assertThat(timeline.enqueued(3, 2, 15)).isFinite();
  }

  private static Timeline timeline(JobPlan plan) {
    return new Timeline(
        plan,
        new Layout(plan, 0, new SplittableRandom(1)),
        0,
        10,
        40,
        true,
        new SplittableRandom(2));
  }

  private static JobPlan plan(Schedule schedule, List<Fault> faults) {
    return new JobPlan(
        5,
        "job",
        Machine.P5,
        4,
        1,
        4,
        NcclVersion.V2_28,
        schedule,
        Framework.NONE,
        Restarts.NONE,
        40,
        1,
        Noise.NONE,
        Output.CONTAINER,
        new Agents(4, true, 1, 0),
        true,
        true,
        faults);
  }
}
