package io.ringside.streams.detect.hang;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Hangs by the words of PyTorch alone: none of these logs has a line of NCCL.
class HangTest {
  private final List<String> lines = new ArrayList<>();

  @Test
  void namesTheRankThatNeverCalled() {
    for (int rank : new int[] {0, 1, 3}) {
      timeout(rank, 91, "ALLREDUCE");
      status(rank, 91, 93);
    }
    lines.add(
        "[rank2]:[E1120 20:30:40.1 ProcessGroupNCCL.cpp:1785] [PG ID 0 PG GUID 0(default_pg) Rank 2] Received a dump signal due to a collective timeout from  rank 0 and we will try our best to dump the debug info. Last enqueued NCCL work: 90, last completed NCCL work: 90.");

    var hang = hang().orElseThrow();
    assertThat(hang.ranks()).containsExactly(2);
    assertThat(hang.witnesses())
        .singleElement()
        .satisfies(it -> assertThat(it.name()).isEqualTo("watchdog"));
    assertThat(hang.witnesses().getFirst().ranks()).containsExactly(2);
    assertThat(hang.agree()).as("one witness agrees with nobody").isNull();
  }

  @Test
  void namesTheOneRankAmongManyThatReportsNoTimeOut() {
    var lines = new ArrayList<String>();
    for (int rank = 0; rank < 16; rank++) {
      if (rank != 11) {
        lines.add(
            "%2d: [E ProcessGroupNCCL.cpp:475] [Rank %d] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=30011, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=1800000) ran for 1800251 milliseconds before timing out."
                .formatted(rank, rank));
      }
    }
    assertThat(told(lines).ranks()).containsExactly(11);
    assertThat(told(lines.subList(9, 15)).ranks()).isEmpty();
  }

  private static Finding told(List<String> lines) {
    return Recorded.of(Map.of("job.log", lines)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.HANG)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void isCriticalAndBlamesNobodyWhereOneRankIsAllThatIsSeen() {
    timeout(0, 17284, "_ALLGATHER_BASE");

    var hang = hang().orElseThrow();
    assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
    assertThat(hang.ranks()).isEmpty();
    assertThat(hang.summary()).contains("rank 0 timed out in _ALLGATHER_BASE");
  }

  /// The first stage waits for a gradient; the second one slept, and then waits for a stage that is
  /// gone.
  @Test
  void namesTheRankThatCameWhenTheOthersHadTimedOut() {
    timeout(0, 242, "RECV", "20:30:39.754865337");
    timeout(1, 245, "RECV", "20:31:24.500000000");

    var hang = hang().orElseThrow();
    assertThat(hang.ranks()).containsExactly(1);
    assertThat(hang.summary()).contains("rank 1 came to the next call when rank 0");
  }

  @Test
  void blamesNobodyForWaitsThatOverlapNorForClocksOfOtherZones() {
    for (var second : List.of("20:30:55.100", "20:30:40.000", "23:30:41.000")) {
      lines.clear();
      timeout(0, 242, "RECV", "20:30:39.754865337");
      timeout(1, 245, "RECV", second);
      assertThat(hang().orElseThrow().ranks()).isEmpty();
    }
  }

  /// As somebody pastes it: without what stands in front, or without the rest of the line.
  @Test
  void readsATimeOutThatSomebodyShortened() {
    lines.add(
        "[rank0] ... [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=2, OpType=ALLREDUCE, NumelIn=16, NumelOut=16, Timeout(ms)=30000) ran for 30005 milliseconds before timing out.");
    assertThat(hang().orElseThrow().summary()).contains("rank 0 timed out in ALLREDUCE");

    lines.clear();
    lines.add("[rank3] Watchdog caught collective operation timeout:");
    lines.add(
        "WorkNCCL(SeqNum=64214, OpType=ALLGATHER, NumelIn=1, NumelOut=32, Timeout(ms)=600000)");
    assertThat(hang()).isPresent();
  }

  @Test
  void blamesNoSurvivorThatWaitsItself() {
    for (int rank = 0; rank < 4; rank++) {
      timeout(rank, 500, "ALLREDUCE");
      status(rank, 500, rank == 1 ? 500 : 501);
    }

    assertThat(hang().orElseThrow().ranks()).isEmpty();
  }

  @Test
  void namesTheRankThatWaitsInAnotherOperation() {
    for (int rank = 0; rank < 8; rank++) {
      timeout(rank, 40, rank == 6 ? "BROADCAST" : "ALLREDUCE");
      status(rank, 40, 40);
    }

    var hang = hang().orElseThrow();
    assertThat(hang.ranks()).containsExactly(6);
    assertThat(hang.summary()).contains("BROADCAST", "ALLREDUCE");
    assertThat(hang.cause()).contains("the same calls in the same order");
  }

  /// A pipeline: each stage counts its own sends and receives, and the first makes half as many as
  /// those in the middle.
  @Test
  void blamesNoStageForItsSendsAndReceives() {
    timeout(0, 211, "RECV");
    status(0, 211, 211);
    for (int rank = 1; rank < 7; rank++) {
      timeout(rank, 420, "SEND");
      status(rank, 420, 420);
    }
    timeout(7, 209, "RECV");
    status(7, 209, 209);

    var hang = hang().orElseThrow();
    assertThat(hang.severity()).isEqualTo(Severity.CRITICAL);
    assertThat(hang.ranks()).isEmpty();
    assertThat(hang.summary()).contains("RECV and SEND").doesNotContain("different operations");
    assertThat(hang.cause()).contains("sends and receives");
  }

  @Test
  void callsASendAndAReceiveOfOneNumberNoMismatch() {
    for (int rank = 0; rank < 4; rank++) {
      timeout(rank, 40, rank % 2 == 0 ? "SEND" : "RECV");
      status(rank, 40, 40);
    }

    assertThat(hang().orElseThrow().cause()).doesNotContain("same calls in the same order");
  }

  /// Who is wrong nobody knows: PyTorch before 2.4 does not say of which group the number is.
  @Test
  void seesAMismatchOfUnnamedGroupsWhereAllWaitAtOneNumber() {
    unnamed(4409);

    var hang = hang().orElseThrow();
    assertThat(hang.ranks()).isEmpty();
    assertThat(hang.summary()).contains("ranks wait in different operations");
    assertThat(hang.cause()).contains("the same calls in the same order");
  }

  @Test
  void takesEqualNumbersForChanceWhileTheyAreSmall() {
    unnamed(7);

    assertThat(hang().orElseThrow().cause()).doesNotContain("the same calls in the same order");
  }

  private void unnamed(int sequence) {
    for (int rank = 0; rank < 8; rank++) {
      lines.add(
          "[rank%d]:[E ProcessGroupNCCL.cpp:523] [Rank %d] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=%d, OpType=%s, NumelIn=512, NumelOut=512, Timeout(ms)=600000) ran for 600031 milliseconds before timing out."
              .formatted(rank, rank, sequence, rank == 3 ? "BROADCAST" : "ALLREDUCE"));
    }
  }

  @Test
  void doesNotCompareNumbersOfUnnamedGroups() {
    lines.add(
        "[E ProcessGroupNCCL.cpp:458] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=96120, OpType=ALLREDUCE, Timeout(ms)=1800000) ran for 1800887 milliseconds before timing out.");
    lines.add(
        "[E ProcessGroupNCCL.cpp:458] [Rank 7] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=64088, OpType=BROADCAST, Timeout(ms)=1800000) ran for 1800251 milliseconds before timing out.");

    assertThat(hang().orElseThrow().ranks()).isEmpty();
  }

  @Test
  void believesTheReportOfLaggingRanks() {
    timeout(0, 3, "ALLREDUCE");
    lines.add(
        " - To our best knowledge, ranks [5] are the lagging ranks that caused this timeout.");

    assertThat(hang().orElseThrow().ranks()).containsExactly(5);
  }

  @Test
  void takesNoWordsOnRanksForAReportOfLaggingOnes() {
    lines.add("[NeMo I 2025-10-08 04:25:04 nemo_logging:393] Ranks 0 has data parallel rank: 0");
    lines.add("- [0, 1] form the first group");

    assertThat(hang()).isEmpty();
  }

  @Test
  void tellsAWatchdogWhoseOwnThreadStands() {
    lines.add(
        "[rank4]:[F205 18:11:06.375750231 ProcessGroupNCCL.cpp:1870] [PG ID 12 PG GUID 99(EP) Rank 4] ProcessGroupNCCL's watchdog got stuck for 480 seconds without making progress in monitoring enqueued collectives.");

    assertThat(hang().orElseThrow().summary()).contains("watchdog of rank 4 is stuck");
  }

  private void timeout(int rank, int sequence, String operation) {
    timeout(rank, sequence, operation, "20:30:39.754865337");
  }

  private void timeout(int rank, int sequence, String operation, String time) {
    lines.add(
        "[rank%d]:[E1120 %s ProcessGroupNCCL.cpp:689] [Rank %d] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=%d, OpType=%s, NumelIn=4, NumelOut=4, Timeout(ms)=20000) ran for 20044 milliseconds before timing out."
            .formatted(rank, time, rank, sequence, operation));
  }

  private void status(int rank, int sequence, int enqueued) {
    lines.add(
        "[rank%d]:[E1120 20:30:39.755 ProcessGroupNCCL.cpp:2290] [PG ID 0 PG GUID 0(default_pg) Rank %d]  failure detected by watchdog at work sequence id: %d PG status: last enqueued work: %d, last completed work: %d"
            .formatted(rank, rank, sequence, enqueued, sequence - 1));
  }

  private Optional<Finding> hang() {
    return Recorded.of(Map.of("job.log", lines)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.HANG)
        .findFirst();
  }
}
