package io.ringside.streams.detect.p2pread;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Told;
import java.util.List;
import org.junit.jupiter.api.Test;

class P2pReadTest {
  @Test
  void warnsWhereAVariableForcesIt() {
    assertThat(read("P2P/CUMEM/read", "NCCL_P2P_READ_ENABLE set by environment to 1."))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.expected()).isEqualTo("P2P write");
              assertThat(finding.cause()).contains("NCCL_P2P_READ_ENABLE=1");
              assertThat(finding.evidence().getFirst().text()).contains("NCCL_P2P_READ_ENABLE");
            });
  }

  @Test
  void notesItWhereNcclMayHaveChosenIt() {
    assertThat(read("P2P/CUMEM/read", "NCCL_DEBUG set by environment to INFO"))
        .extracting(Finding::severity)
        .containsExactly(Severity.INFO);
  }

  @Test
  void saysNothingOfWriting() {
    assertThat(read("P2P/CUMEM", "NCCL_P2P_READ_ENABLE set by environment to 0.")).isEmpty();
  }

  private static List<Finding> read(String transport, String said) {
    var told = new Told();
    for (int rank = 0; rank < 2; rank++) {
      told.rank(rank, 2, 2, "Socket", "NCCL INFO " + said).up(rank, 2, 2);
      told.edge(rank, 2, 2, transport);
    }
    return told.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.P2P_READ)
        .toList();
  }
}
