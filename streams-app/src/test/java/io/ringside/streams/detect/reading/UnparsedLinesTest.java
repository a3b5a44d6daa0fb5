package io.ringside.streams.detect.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.detect.HandMadeLog;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnparsedLinesTest {
  @Test
  void tellsLinesThatNoNcclWasKnownToPrint() {
    assertThat(
            told(new HandMadeLog().rank(0, 1, 1, "Socket").say(0, 1, "NCCL INFO Warp 7 entangled")))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.summary()).isEqualTo("Ringside does not know 1 of 5 NCCL lines");
              assertThat(finding.evidence().getFirst().text()).contains("Warp # entangled");
            });
  }

  @Test
  void isNothingWhereAllAreKnown() {
    assertThat(told(new HandMadeLog().rank(0, 1, 1, "Socket"))).isEmpty();
  }

  private static List<Finding> told(HandMadeLog log) {
    return log.up(0, 1, 1).findings().stream()
        .filter(finding -> finding.kind() == FindingKind.UNPARSED_LINES)
        .toList();
  }
}
