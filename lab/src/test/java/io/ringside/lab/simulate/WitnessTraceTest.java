package io.ringside.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Severity;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.job.Replay;
import io.ringside.streams.judge.Judge;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class WitnessTraceTest {
  private static final Instant BEGIN = Instant.parse("2026-11-22T10:00:00Z");

  /// The load would cost nothing if nobody could read it, and a finding if it were no healthy
  /// job's.
  @Test
  void everyWitnessIsReadAndTellsOfNoFault() {
    var job = new LiveJob(plan(), 20, BEGIN, Duration.ofSeconds(1));
    var replay = new Replay();
    job.start().forEach(sent -> replay.add(sent.event()));
    double at = job.trainsAt();
    while (at < 700) {
      job.block(at, false).forEach(sent -> replay.add(sent.event()));
      at += job.seconds(false);
    }

    var state = replay.jobs().values().iterator().next();
    var witnesses = state.witnesses();
    assertThat(witnesses.dumps()).hasSize(16);
    assertThat(witnesses.refused()).isEmpty();
    assertThat(witnesses.answers()).isNotEmpty();
    assertThat(witnesses.rounds().lost()).isZero();
    assertThat(witnesses.rounds().verdicts())
        .singleElement()
        .satisfies(verdict -> assertThat(verdict.rounds()).isGreaterThan(500));
    assertThat(new Judge(Expectations.builtIn()).judge(state, BEGIN.plusSeconds(700)).findings())
        .noneMatch(finding -> finding.severity() != Severity.INFO);
  }

  private static JobPlan plan() {
    var schedule = Schedule.recorded();
    return new JobPlan(
        7,
        "load-7",
        Machine.P5,
        2,
        1,
        8,
        NcclVersion.V2_28,
        schedule,
        Framework.NONE,
        Restarts.NONE,
        1,
        schedule.calls().size() / 2.0 / 1.15,
        Noise.NONE,
        Output.CONTAINER,
        new Agents(2, true, 0, 0, true),
        false,
        false,
        List.of());
  }
}
