package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClockTest {
  @Test
  void isOneForTheRanksOfAMachine() {
    assertThat(Clock.names(List.of(of("gpu-1", "a", "1b:00"), of("gpu-1", "b", "1c:00"))))
        .containsExactly("gpu-1", "gpu-1");
    assertThat(Clock.names(List.of(of("gpu-1", "a", ""), of("gpu-1", "b", ""))))
        .containsExactly("gpu-1", "gpu-1");
  }

  /// Two ranks never have one GPU.
  @Test
  void isTheLogsOwnWhereMachinesAreCalledAlike() {
    assertThat(
            Clock.names(
                List.of(
                    of("ubuntu", "a", "01:00"),
                    of("ubuntu", "b", "02:00"),
                    of("ubuntu", "c", "01:00"),
                    of("gpu-1", "d", "01:00"))))
        .containsExactly("a", "b", "c", "gpu-1");
  }

  @Test
  void isTheLogsWhereNothingIsKnownOfTheMachine() {
    assertThat(Clock.names(List.of(Clock.of("a"), Clock.of("b")))).containsExactly("a", "b");
  }

  /// NCCL counts two ranks on the machine, and three say that they are on it.
  @Test
  void isTheLogsOwnWhereNcclCountsFewerRanksOnAMachine() {
    assertThat(
            Clock.names(
                List.of(
                    new Clock("worker", "a", "1b:00", 2),
                    new Clock("worker", "b", "43:00", 2),
                    new Clock("worker", "c", "4f:00", 2))))
        .containsExactly("a", "b", "c");
    assertThat(
            Clock.names(
                List.of(
                    new Clock("worker", "a", "1b:00", 2), new Clock("worker", "b", "43:00", 2))))
        .containsExactly("worker", "worker");
  }

  private static Clock of(String machine, String log, String gpu) {
    return new Clock(machine, log, gpu, -1);
  }
}
