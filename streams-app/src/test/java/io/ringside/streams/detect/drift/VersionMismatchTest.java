package io.ringside.streams.detect.drift;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.detect.HandMadeLog;
import java.util.List;
import org.junit.jupiter.api.Test;

class VersionMismatchTest {
  @Test
  void tellsTheHostThatRunsAnotherVersion() {
    assertThat(told("2.21.5", "2.21.5", "2.18.3"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.ranks()).containsExactly(2);
              assertThat(finding.summary()).contains("different versions of NCCL", "2.18.3");
            });
  }

  @Test
  void isNothingWhereAllRunTheSame() {
    assertThat(told("2.21.5", "2.21.5", "2.21.5")).isEmpty();
  }

  /// A rank on each of as many hosts.
  private static List<Finding> told(String... versions) {
    var log = new HandMadeLog();
    for (int rank = 0; rank < versions.length; rank++) {
      log.rank(
          rank,
          versions.length,
          1,
          "Socket",
          "NCCL INFO NCCL version " + versions[rank] + "+cuda12.4");
    }
    for (int rank = 0; rank < versions.length; rank++) {
      log.up(rank, versions.length, 1);
    }
    return log.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.VERSION_MISMATCH)
        .toList();
  }
}
