package io.ringside.streams.detect.gdr;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.HandMadeLog;
import java.util.List;
import org.junit.jupiter.api.Test;

class GdrDisagreementTest {
  private static final int RANKS = 3;

  @Test
  void namesTheRankThatLacksIt() {
    assertThat(disagreement(0, List.of("NET/IB/0/GDRDMA", "NET/IB/0", "NET/IB/0/GDRDMA")))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.ranks()).containsExactly(1);
              assertThat(finding.summary()).contains("rank 1 lacks it");
              assertThat(finding.evidence().getFirst().text()).contains("GDR 0");
            });
  }

  @Test
  void saysThatItIsAnotherWhereItsLinesAreNotHere() {
    assertThat(disagreement(0, List.of("NET/IB/0/GDRDMA")))
        .singleElement()
        .satisfies(finding -> assertThat(finding.cause()).contains("its lines are not here"));
  }

  @Test
  void saysNothingWhereTheRingsAgreeWithTheEdges() {
    assertThat(disagreement(1, List.of("NET/IB/0/GDRDMA", "NET/IB/0/GDRDMA"))).isEmpty();
    assertThat(disagreement(0, List.of("NET/IB/0", "NET/IB/0"))).isEmpty();
  }

  /// @param ways what each of the first ranks' edges go over
  private static List<Finding> disagreement(int gdr, List<String> ways) {
    var log = new HandMadeLog();
    for (int rank = 0; rank < ways.size(); rank++) {
      log.rank(rank, RANKS, 1, "IB").edge(rank, RANKS, 1, ways.get(rank));
      log.say(rank, 1, "NCCL INFO Connected all rings, use ring PXN 0 GDR " + gdr);
      log.up(rank, RANKS, 1);
    }
    return log.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.GDR_DISAGREEMENT)
        .toList();
  }
}
