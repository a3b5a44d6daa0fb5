package io.ringside.streams.detect.hang;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What Horovod and XLA say of ranks that others wait for.
class ReportedStallTest {
  private static final String STEP = "step %d loss 2.1 time 0.3s";
  private static final String MISSING =
      "[1,0]<stderr>:[2019-04-13 13:53:31.851506: W horovod/common/operations.cc:588] HorovodBroadcast_global_step_0 [missing ranks: 1, 3]";
  private static final String STALLED =
      "[2023-05-02 10:01:07.120443: W /tmp/horovod/common/stall_inspector.cc:107] One or more tensors were submitted to be reduced, gathered or broadcasted by subset of ranks and are waiting for remainder of ranks for more than 60 seconds.";
  private static final String STUCK =
      "2024-07-29 17:14:59.920189: E external/xla/xla/service/rendezvous.cc:38] This thread has been waiting for `initialize clique for rank 6` for 10 seconds and may be stuck. Expected 8 threads to join the rendezvous, but not all of them arrived on time.";

  @Test
  void namesTheRanksThatHorovodMisses() {
    assertThat(told(STEP.formatted(1), STALLED, MISSING))
        .singleElement()
        .satisfies(
            pause -> {
              assertThat(pause.severity()).isEqualTo(Severity.INFO);
              assertThat(pause.ranks()).containsExactly(1, 3);
              assertThat(pause.summary())
                  .isEqualTo("paused: ranks wait for ranks 1, 3 in a collective, says Horovod");
              assertThat(pause.evidence().getFirst().text()).contains("missing ranks: 1, 3");
            });
  }

  /// Up to 0.13 Horovod names those that came, each tensor's in one line.
  @Test
  void missesWhoIsNotReadyWithAnyTensor() {
    var init =
        IntStream.range(0, 8)
            .mapToObj(
                rank ->
                    "worker-%d:7%d:9%d [%d] NCCL INFO ncclCommInitRank comm 0x55d%d rank %d nranks 8 cudaDev %d busId %d000 commId 0xabc - Init COMPLETE"
                        .formatted(rank / 4, rank, rank, rank % 4, rank, rank, rank % 4, rank))
            .toList();
    var words = "WARNING: " + STALLED.substring(STALLED.indexOf("One or more"));
    var lines = new ArrayList<>(init);
    lines.add(
        words
            + " Stalled ops: allreduce.a [ready ranks: 5, 1, 4, 2, 3], allreduce.b [ready ranks: 5, 0, 4, 2, 3], allreduce.c [ready ranks: 5");
    assertThat(told(lines))
        .singleElement()
        .satisfies(pause -> assertThat(pause.ranks()).containsExactly(6, 7));

    assertThat(told(words + " Stalled ops: allreduce.a [ready ranks: 3, 1, 0]"))
        .singleElement()
        .satisfies(pause -> assertThat(pause.ranks()).containsExactly(2));
  }

  /// Each waits for the other.
  @Test
  void blamesNobodyWhereAllAreReadyWithSomething() {
    assertThat(
            told(
                "WARNING: "
                    + STALLED.substring(STALLED.indexOf("One or more"))
                    + " Stalled ops: loss_0 [ready ranks: 3], grads_0 [ready ranks: 2, 0, 1]"))
        .singleElement()
        .satisfies(pause -> assertThat(pause.ranks()).isEmpty());
  }

  @Test
  void isAHangWhereHorovodWillShutDown() {
    assertThat(
            told(
                STALLED,
                "Missing ranks:",
                "1!: [DistributedAdam_Allreduce/cond_10/HorovodAllreduce_grads_0 ...]",
                "One or more rank (marked by \"!\") is stalled for longer than 120 seconds. Will shutdown."))
        .singleElement()
        .satisfies(
            hang -> {
              assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(hang.ranks()).containsExactly(1);
            });
  }

  /// Horovod from 0.19 on; the rank looks like a launcher's label.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[1,0]<stderr>:9: [allreduce.layer4.2.conv3.weight, allreduce.layer4.2.conv2.weight]",
        "9: [HorovodAllreduce]",
        "2026-01-14T10:06:41.0Z 9: [broadcast.noname.1]",
        "9: [cond_1/then/_10/cond_1/SGD/PartitionedCall/DistributedSGD_Allreduce/cond/HorovodAllreduce_grads_0]",
        "9: [DistributedAdam_Allreduce/cond_10/HorovodAllreduce_grads_0, cond_1/HorovodAllreduce_grads_1 ...]",
      })
  void readsTheListOfMissingRanks(String listed) {
    assertThat(told(STEP.formatted(1), STALLED, "[1,0]<stderr>:Missing ranks:", listed))
        .singleElement()
        .satisfies(pause -> assertThat(pause.ranks()).containsExactly(9));
  }

  /// It speaks after five minutes, and once.
  @Test
  void sglangsWatchdogSpeaksOfAHang() {
    assertThat(
            told(
                "[2025-03-09 00:57:15 TP4] Watchdog timeout (self.watchdog_timeout=300)",
                "[2025-03-09 00:57:16 TP0] Watchdog timeout (self.watchdog_timeout=300)",
                "[2025-03-09 00:57:20] Received sigquit from a child process. It usually means the child failed.",
                "Killed"))
        .singleElement()
        .satisfies(
            hang -> {
              assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(hang.ranks()).isEmpty();
              assertThat(hang.summary())
                  .startsWith(
                      "the job hangs: no batch of the engine ends, says SGLang's watchdog for 5 min");
            });
  }

  @Test
  void anExceptionNamesWhoDidNotPassTheMonitoredBarrier() {
    assertThat(
            told(
                "RuntimeError: [Rank 0]: Ranks 4, 5, 6, 7 failed to pass monitoredBarrier in 2000000 ms"))
        .singleElement()
        .satisfies(hang -> assertThat(hang.ranks()).containsExactly(4, 5, 6, 7));
  }

  @Test
  void isAHangOnceItIsSaidForLongerThanThreeTimesThePauseBefore() {
    var lines = new ArrayList<>(List.of(STEP.formatted(1)));
    lines.addAll(stalled(10, 12));
    lines.addAll(List.of(STEP.formatted(2), STEP.formatted(3), STEP.formatted(4)));
    assertThat(told(lines)).isEmpty();

    lines.addAll(stalled(20, 26));
    assertThat(told(lines)).singleElement().matches(it -> it.severity() == Severity.INFO);

    lines.addAll(stalled(27, 27));
    assertThat(told(lines))
        .singleElement()
        .satisfies(
            hang -> {
              assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(hang.summary())
                  .isEqualTo(
                      "the job hangs: ranks wait for rank 9 in a collective, says Horovod for 7 min");
            });
  }

  /// Rank 0 evaluates each quarter of an hour, and no line tells of the steps between.
  @Test
  void takesAStallThatIsNotRepeatedForAnotherOne() {
    var lines = new ArrayList<String>();
    for (int minute = 10; minute < 60; minute += 15) {
      lines.addAll(stalled(minute, minute + 1));
    }

    assertThat(told(lines)).singleElement().matches(it -> it.severity() == Severity.INFO);
  }

  /// What Horovod says each minute.
  private static List<String> stalled(int from, int to) {
    return IntStream.rangeClosed(from, to)
        .boxed()
        .flatMap(
            minute ->
                Stream.of(
                    STALLED.replace("10:01:07", "10:%02d:07".formatted(minute)),
                    "Missing ranks:",
                    "9: [allreduce.layer4.2.conv3.weight]"))
        .toList();
  }

  private static List<Finding> told(List<String> lines) {
    return told(lines.toArray(String[]::new));
  }

  @Test
  void isSilentOnceStepsGoOn() {
    assertThat(told(STEP.formatted(1), MISSING, STEP.formatted(2), STEP.formatted(3))).isEmpty();
  }

  @Test
  void takesXlaAtItsWordUntilItTakesItBack() {
    assertThat(told(STUCK)).hasSize(1).allMatch(it -> it.severity() == Severity.INFO);
    assertThat(
            told(
                STEP.formatted(1),
                STUCK,
                "2024-07-29 17:15:03.120189: E external/xla/xla/service/rendezvous.cc:46] Thread is unstuck! Warning above was a false-positive."))
        .isEmpty();
  }

  private static List<Finding> told(String... lines) {
    return Recorded.of(Map.of("job.log", Arrays.asList(lines))).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.HANG)
        .toList();
  }
}
