package io.ringside.streams.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.recorded.Lines;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// PyTorch prints the options of a process group before NCCL makes its communicator.
class GroupsToComeTest {
  private static final Instant LATER = Lines.AT.plusSeconds(60);
  private static final String OPTIONS =
      "[I1120 20:30:17.518015806 ProcessGroupNCCL.cpp:988] [PG ID 0 PG GUID 0(default_pg) Rank 0] ProcessGroupNCCL initialization options: size: 1, global rank: 0, TIMEOUT(ms): 600000, USE_HIGH_PRIORITY_STREAM: 0, SPLIT_FROM: 0, SPLIT_COLOR: -2, PG Name: 0";

  /// As in the log of the container that replaces another one.
  @Test
  void sayNothingOfTheRunBeforeInALogThatHasNoRunYet() {
    assertThat(lastOfRun(Lines.later(1, 0, 0, LATER, OPTIONS))).isLessThan(Nanos.of(LATER));
  }

  @Test
  void showThatTheRunGoesOnInItsOwnLog() {
    assertThat(lastOfRun(Lines.later(0, 1, 1_000, LATER, OPTIONS))).isEqualTo(Nanos.of(LATER));
  }

  private static long lastOfRun(AgentEvent options) {
    var start = Lines.of(0, false, Lines.start(0, 1).toArray(String[]::new));
    var jobs = new Replay().addAll(List.of(start, options)).jobs().values();
    return jobs.iterator().next().runs().getFirst().lastNanos();
  }
}
