package io.ringside.streams.detect.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Told;
import java.util.List;
import org.junit.jupiter.api.Test;

class OffloadMissingTest {
  @Test
  void isANoteWhereSharpWasTriedInVain() {
    var told = new Told();
    told.rank(0, 2, 1, "IBext", "NCCL INFO NCCL_COLLNET_ENABLE set by environment to 1.");
    told.say(
        0,
        1,
        "transport.cc:253 NCCL WARN Cannot initialize CollNet, using point-to-point network instead");
    told.up(0, 2, 1);

    assertThat(told.findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FindingKind.OFFLOAD_MISSING);
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
            });
  }

  @Test
  void tellsOfRanksThatLackNvlsAmongOthersThatHaveIt() {
    var told = new Told();
    for (int rank = 0; rank < 4; rank++) {
      told.rank(rank, 4, 4, "Socket");
      told.say(
          rank,
          4,
          "NCCL INFO NVLS multicast support is %savailable on dev %d"
              .formatted(rank == 3 ? "not " : "", rank));
      told.up(rank, 4, 4);
    }

    assertThat(offloads(told))
        .singleElement()
        .satisfies(finding -> assertThat(finding.ranks()).containsExactly(3));
  }

  @Test
  void saysNothingOfMachinesWithoutIt() {
    var told = new Told();
    for (int rank = 0; rank < 2; rank++) {
      told.rank(rank, 2, 2, "Socket", "NCCL INFO NVLS multicast support is not available on dev 0")
          .up(rank, 2, 2);
    }

    assertThat(offloads(told)).isEmpty();
  }

  private static List<Finding> offloads(Told told) {
    return told.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.OFFLOAD_MISSING)
        .toList();
  }
}
