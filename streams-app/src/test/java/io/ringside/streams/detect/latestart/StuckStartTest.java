package io.ringside.streams.detect.latestart;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StuckStartTest {
  private static final Instant BEGIN = Instant.parse("2026-11-21T08:00:00Z");

  @Test
  void namesTheRankThatNeverBegan() {
    assertThat(late(3, 600, false))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.ranks()).containsExactly(3);
              assertThat(finding.summary()).contains("3 of 4 ranks");
            });
  }

  @Test
  void isNothingWhileStartsUsuallyTake() {
    assertThat(late(3, 30, false)).isEmpty();
  }

  @Test
  void isNothingWhereFewRanksAreSeenAtAll() {
    assertThat(late(1, 600, false)).isEmpty();
  }

  @Test
  void isNothingWhereARankIsThrough() {
    assertThat(late(3, 600, true)).isEmpty();
  }

  private static List<Finding> late(int begun, int seconds, boolean through) {
    var lines = new ArrayList<String>();
    for (int rank = 0; rank < begun; rank++) {
      lines.add(nccl(1, rank, "START"));
    }
    if (through) {
      lines.add(nccl(2, 0, "COMPLETE"));
    }
    for (int second = 10; second <= seconds; second += 10) {
      lines.add(BEGIN.plusSeconds(second) + " stdout F [launcher] workers alive");
    }
    return Recorded.of(Map.of("job.log", lines)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.LATE_START)
        .toList();
  }

  private static String nccl(int second, int rank, String phase) {
    return "%s stdout F worker-0:%d:%d [%d] NCCL INFO ncclCommInitRankConfig comm 0x55%d rank %d nranks 4 cudaDev %d nvmlDev %d busId %d000 commId 0xc5194a2a2d53c3b9 - Init %s"
        .formatted(
            BEGIN.plusSeconds(second),
            100 + rank,
            100 + rank,
            rank,
            rank,
            rank,
            rank,
            rank,
            rank + 1,
            phase);
  }
}
