package io.ringside.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.lab.simulate.NetworkFault.EfaFallback;
import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.LogChunk;
import io.ringside.streams.job.JobState;
import io.ringside.streams.job.Replay;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Generated jobs must look like recorded ones.
class JobGeneratorTest {
  private static final Instant BEGIN = Instant.parse("2026-11-21T00:00:00Z");

  private static final int TURNS = 6;

  /// Nothing but a stranger at a port.
  private static final Noise NOISE =
      new Noise(
          Noise.Unevenness.NONE, Noise.Pauses.NONE, Noise.Duties.NONE, Noise.Clocks.NONE, 0, 1);

  /// Of all faults on each machine a sixth with each version, and all of them with six.
  @ParameterizedTest
  @EnumSource(NcclVersion.class)
  void printsOnlyLinesThatTheParserKnows(NcclVersion version) {
    for (var machine : Machine.ALL) {
      for (var schedule :
          machine.equals(Machine.P5)
              ? List.of(
                  Schedule.zero(2, false, 4),
                  Schedule.tensorParallel(2, 4),
                  Schedule.pipeline(2, 4),
                  Schedules.oneForwardOneBackward(2, 2, 0.05, 4),
                  Schedules.experts(2, true, false, 4),
                  Schedules.programs(2, 4, 4),
                  Schedule.recorded())
              : List.of(Schedules.threeWays(2, false, 4))) {
        var all = faults(machine);
        for (int i = version.ordinal() % TURNS; i < all.size(); i += TURNS) {
          var faults = all.get(i);
          var plan = plan(machine, version, schedule, 2, 1, 4, 6, faults);
          assertThat(replayed(generate(plan)).unknownShapes()).as(plan.words()).isEmpty();
        }
      }
    }
  }

  private static List<List<Fault>> faults(Machine machine) {
    var all = new ArrayList<List<Fault>>();
    all.add(List.of());
    all.add(List.of(new NetworkFault.P2pDisabled(), new PaceFault.LateStart(1, 30)));
    all.add(List.of(new NetworkFault.P2pReadForced(), new PaceFault.Hang(3, 4, 30, true, true)));
    all.add(
        List.of(
            new NetworkFault.GdrOff(),
            new ProcessFault.EnvironmentDrift(0, ProcessFault.EnvironmentDrift.Variable.PROTOCOL)));
    for (var cause : ProcessFault.Crash.Cause.values()) {
      all.add(List.of(new ProcessFault.Crash(5, 4, cause)));
    }
    all.add(List.of(new ProcessFault.NoInterface()));
    for (var cause : ProcessFault.Death.Cause.values()) {
      all.add(List.of(new ProcessFault.Death(5, 4, cause)));
    }
    all.add(List.of(new NetworkFault.FabricFallback()));
    all.add(List.of(new NetworkFault.PartialFallback(1)));
    if (machine.efa() > 0) {
      for (var cause : EfaFallback.Cause.values()) {
        all.add(List.of(new EfaFallback(cause)));
      }
    }
    return all;
  }

  @Test
  void alignsAllRoundsOfEachCommunicator() {
    for (var schedule :
        List.of(
            Schedule.recorded(),
            Schedule.ddp(3, false, 2),
            Schedule.zero(3, false, 3),
            Schedule.tensorParallel(3, 2),
            Schedule.pipeline(3, 2))) {
      var plan = plan(Machine.P5, NcclVersion.V2_28, schedule, 2, 1, 4, 10, List.of());
      for (var run : replayed(generate(plan)).runs()) {
        for (var comm : run.communicators()) {
          // stages of a pipeline only send and receive
          assertThat(comm.rounds().completed() > 0)
              .as(plan.words())
              .isEqualTo(!plan.schedule().groupsOnly() || comm.nranks() == 4);
          assertThat(comm.rounds().mismatched()).as(plan.words()).isZero();
        }
      }
    }
  }

  @Test
  void printsStepsInTheWordsOfEachFramework() {
    for (var framework : List.of(Framework.TRAINER, Framework.DEEPSPEED, Framework.MEGATRON)) {
      var plan = JobDraw.draw(JobKind.SLOWER_RUN, 5, framework.ordinal(), 8, 2_000);
      var state = replayed(generate(with(plan, framework)));
      assertThat(state.runs()).hasSize(2);
      for (var run : state.runs()) {
        var steps = run.steps();
        assertThat(steps.tracks()).as(plan.words()).isNotEmpty();
        var series = steps.tracks().iterator().next().series();
        double seconds = series.segments().stream().mapToDouble(s -> s.seconds()).sum();
        long count = series.segments().stream().mapToLong(s -> s.steps()).sum();
        assertThat(count).as(plan.words()).isGreaterThan(20);
        assertThat(seconds / count).isBetween(0.5 * plan.stepSeconds(), 6 * plan.stepSeconds());
      }
    }
  }

  private static JobPlan with(JobPlan plan, Framework framework) {
    return new JobPlan(
        plan.seed(),
        plan.name(),
        plan.machine(),
        plan.nodes(),
        plan.podsPerNode(),
        plan.gpusPerPod(),
        plan.version(),
        plan.schedule(),
        framework,
        plan.restarts(),
        plan.steps(),
        plan.stepSeconds(),
        plan.noise(),
        plan.output(),
        plan.agents(),
        plan.torchLines(),
        plan.initThread(),
        plan.faults());
  }

  @Test
  void losesLinesOnlyWhereItIsToldTo() {
    var plan = JobDraw.draw(JobKind.LOST_LINES, 3, 1, 8, 3_000);
    long expected = 0;
    long missing = 0;
    Map<String, Long> next = new HashMap<>();
    for (var event : generate(plan)) {
      if (event instanceof LogChunk chunk) {
        long known = next.getOrDefault(chunk.source().id(), 0L);
        missing += chunk.firstOffset() - known;
        expected += chunk.nextOffset() - chunk.firstOffset();
        next.put(chunk.source().id(), chunk.nextOffset());
      }
    }
    assertThat(missing).as(plan.words()).isPositive().isLessThan(expected / 2);
  }

  @Test
  void delaysShowAsInTheRecordingOfAStraggler() {
    // examples/recordings/slowcoll: rank 6 late by 120 ms in 100 of 300 steps of 45 ms; of 900
    // rounds
    // 300 are late by 120 ms, the others spread over 0.3 ms; the lateness of a step's three rounds
    // is one
    var straggler =
        new PaceFault.Straggler(6, 120, 220, 1, 120 / 45.0, PaceFault.Straggler.Cause.HOST);
    var plan =
        plan(
            Machine.H200, NcclVersion.V2_28, Schedule.recorded(), 2, 1, 4, 300, List.of(straggler));
    var timeline =
        new Timeline(
            plan,
            new Layout(plan, 0, new java.util.SplittableRandom(1)),
            0,
            0,
            300,
            true,
            new java.util.SplittableRandom(2));
    int late = 0;
    for (int step = 10; step < 300; step++) {
      for (int call = 0; call < 3; call++) {
        double last = Double.NEGATIVE_INFINITY;
        double second = Double.NEGATIVE_INFINITY;
        int lastRank = -1;
        for (int rank = 0; rank < 8; rank++) {
          double at = timeline.enqueued(step, call, rank);
          if (at > last) {
            second = last;
            last = at;
            lastRank = rank;
          } else {
            second = Math.max(second, at);
          }
        }
        if (last - second > 0.05) {
          assertThat(lastRank).isEqualTo(6);
          assertThat(last - second).isBetween(0.09, 0.15);
          late++;
        } else {
          assertThat(last - second).isLessThan(0.005);
        }
      }
    }
    assertThat(late).isEqualTo(300);
  }

  @Test
  void completesNothingBeforeTheLastRankArrived() {
    var plan =
        plan(Machine.P4D, NcclVersion.V2_27, Schedule.zero(3, false, 3), 2, 1, 4, 50, List.of());
    var timeline =
        new Timeline(
            plan,
            new Layout(plan, 0, new java.util.SplittableRandom(3)),
            0,
            0,
            50,
            false,
            new java.util.SplittableRandom(4));
    int calls = plan.schedule().calls().size();
    for (int step = 1; step < 50; step++) {
      double lastOfStepBefore = 0;
      for (int rank = 0; rank < plan.ranks(); rank++) {
        lastOfStepBefore = Math.max(lastOfStepBefore, timeline.enqueued(step - 1, calls - 1, rank));
      }
      for (int rank = 0; rank < plan.ranks(); rank++) {
        assertThat(timeline.enqueued(step, 0, rank)).isGreaterThan(lastOfStepBefore);
      }
    }
  }

  @Test
  void givesTheSameJobForTheSamePlan() {
    var plan = JobDraw.draw(7, 3, 16, 20_000);
    assertThat(generate(plan)).isEqualTo(generate(plan));
  }

  @Test
  void sendsEachFilesChunksInOrderAndWithoutGaps() {
    for (int number = 0; number < 10; number++) {
      Map<String, Long> next = new HashMap<>();
      for (var event : generate(JobDraw.draw(11, number, 16, 20_000))) {
        if (event instanceof LogChunk chunk) {
          assertThat(chunk.sequence()).isEqualTo(next.getOrDefault(chunk.source().id(), 0L));
          next.put(chunk.source().id(), chunk.sequence() + 1);
        }
      }
      assertThat(next).isNotEmpty();
    }
  }

  private static List<AgentEvent> generate(JobPlan plan) {
    return JobGenerator.generate(plan, BEGIN, Duration.ofMillis(500)).records().stream()
        .map(GeneratedJob.Sent::event)
        .toList();
  }

  private static JobState replayed(List<AgentEvent> events) {
    return new Replay().addAll(events).jobs().values().iterator().next();
  }

  private static JobPlan plan(
      Machine machine,
      NcclVersion version,
      Schedule schedule,
      int nodes,
      int podsPerNode,
      int gpusPerPod,
      int steps,
      List<Fault> faults) {
    return new JobPlan(
        5,
        "job",
        machine,
        nodes,
        podsPerNode,
        gpusPerPod,
        version,
        schedule,
        Framework.NONE,
        Restarts.NONE,
        steps,
        0.045,
        NOISE,
        Output.CONTAINER,
        new Agents(nodes * podsPerNode, true, 1, 0),
        true,
        true,
        faults);
  }
}
