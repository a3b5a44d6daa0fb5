package io.ringside.streams.detect.hang;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.detect.HandMadeLog;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Two ranks that wait in calls of one group which are far apart.
class BehindTest {
  @Test
  void blamesTheRankThatMadeFewerCalls() {
    assertThat(blamed(2, 35, 67, 35)).containsExactly(1);
  }

  /// Others may stand by the one or by the other.
  @Test
  void blamesNobodyOfAnUnknownRest() {
    assertThat(blamed(4, 35, 67, 35)).isEmpty();
    assertThat(blamed(0, 35, 67, 35)).isEmpty();
  }

  @Test
  void blamesNobodyWhoMadeTheCallOrWaitsInTheSame() {
    assertThat(blamed(2, 35, 67, 70)).as("it has enqueued it").isEmpty();
    assertThat(blamed(2, 67, 67, 67)).as("another operation of one number").isEmpty();
  }

  @Test
  void tellsThatTheCallsDiffer() {
    var hang = hang(0, 35, 67, 35);

    assertThat(hang.summary()).contains("different operations (ALLREDUCE, _REDUCE_SCATTER_BASE)");
    assertThat(hang.cause()).contains("different calls of one group");
  }

  private static List<Integer> blamed(int ranks, int one, int zero, int enqueued) {
    return hang(ranks, one, zero, enqueued).ranks();
  }

  /// @param ranks of the world, 0 where no line tells of one
  /// @param one where rank 1 waits
  /// @param zero where rank 0 waits
  /// @param enqueued what rank 1 made last
  private static Finding hang(int ranks, int one, int zero, int enqueued) {
    var log = new HandMadeLog();
    for (int rank = 0; rank < Math.min(2, ranks); rank++) {
      log.rank(rank, ranks, ranks, "Socket").up(rank, ranks, ranks);
    }
    log.line(timeout(1, one, "ALLREDUCE")).line(status(1, one, enqueued));
    log.line(timeout(0, zero, "_REDUCE_SCATTER_BASE")).line(status(0, zero, zero));
    return log.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.HANG)
        .findFirst()
        .orElseThrow();
  }

  private static String timeout(int rank, int sequence, String operation) {
    return "[rank%d]:[E1118 20:32:23.95 ProcessGroupNCCL.cpp:629] [Rank %d] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=%d, OpType=%s, NumelIn=1, NumelOut=1, Timeout(ms)=1800000) ran for 1800024 milliseconds before timing out."
        .formatted(rank, rank, sequence, operation);
  }

  private static String status(int rank, int sequence, int enqueued) {
    return "[rank%d]:[E1118 20:32:23.95 ProcessGroupNCCL.cpp:2168] [PG ID 0 PG GUID 0(default_pg) Rank %d]  failure detected by watchdog at work sequence id: %d PG status: last enqueued work: %d, last completed work: %d"
        .formatted(rank, rank, sequence, enqueued, sequence - 1);
  }
}
