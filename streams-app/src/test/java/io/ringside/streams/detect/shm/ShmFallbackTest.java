package io.ringside.streams.detect.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.HandMadeLog;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShmFallbackTest {
  @Test
  void warnsWhereAVariableDisablesP2p() {
    assertThat(fallback("SHM/direct/direct", "NCCL_P2P_DISABLE set by environment to 1"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.cause()).contains("NCCL_P2P_DISABLE=1");
              assertThat(finding.evidence().getFirst().text()).contains("NCCL_P2P_DISABLE");
            });
  }

  @Test
  void notesItWhereTheDriverRefusesOrNothingTellsOfNvlink() {
    assertThat(fallback("SHM/direct/direct", "P2P is disabled between connected GPUs 0 and 1."))
        .extracting(Finding::severity)
        .containsExactly(Severity.INFO);
    assertThat(fallback("SHM/direct/direct", "NCCL_DEBUG set by environment to INFO"))
        .extracting(Finding::severity)
        .containsExactly(Severity.INFO);
  }

  @Test
  void saysNothingOfP2p() {
    assertThat(fallback("P2P/CUMEM", "NCCL_P2P_DISABLE set by environment to 0")).isEmpty();
  }

  @Test
  void warnsWhereOnePairAloneIsWithoutP2p() {
    assertThat(ring("P2P/IPC", "P2P/IPC", "SHM/direct/direct", "P2P/IPC"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.ranks()).containsExactly(2);
            });
  }

  /// Two sides of a machine, which the ring passes there and back.
  @Test
  void notesTwoPairs() {
    assertThat(ring("P2P/IPC", "SHM/direct/direct", "P2P/IPC", "SHM/direct/direct"))
        .extracting(Finding::severity)
        .containsExactly(Severity.INFO);
  }

  /// The rest of the ring is not here: it may have a second one.
  @Test
  void notesOnePairOfARingThatIsNotWhole() {
    assertThat(ring("P2P/IPC", "P2P/IPC", "P2P/IPC", "SHM/direct/direct", "NET/IB/0"))
        .extracting(Finding::severity)
        .containsExactly(Severity.INFO);
  }

  private static List<Finding> ring(String... transports) {
    var log = new HandMadeLog();
    int ranks = transports.length;
    for (int rank = 0; rank < ranks; rank++) {
      log.rank(rank, ranks, ranks, "Socket").up(rank, ranks, ranks);
      log.edge(rank, ranks, ranks, transports[rank]);
    }
    return log.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.SHM_FALLBACK)
        .toList();
  }

  private static List<Finding> fallback(String transport, String said) {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 2; rank++) {
      log.rank(rank, 2, 2, "Socket", "NCCL INFO " + said).up(rank, 2, 2);
      log.edge(rank, 2, 2, transport);
    }
    return log.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.SHM_FALLBACK)
        .toList();
  }
}
