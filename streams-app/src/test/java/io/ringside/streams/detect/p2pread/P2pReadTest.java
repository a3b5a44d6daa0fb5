package io.ringside.streams.detect.p2pread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.HandMadeLog;
import java.util.List;
import org.junit.jupiter.api.Test;

class P2pReadTest {
  private static final String FORCED = "NCCL_P2P_READ_ENABLE set by environment to 1.";

  @Test
  void warnsWhereAVariableForcesIt() {
    assertThat(read("P2P/CUMEM/read", FORCED))
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

  /// Nodes of a job may have different GPUs, and different environments.
  @Test
  void asksEachRankForItsOwnReason() {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 4; rank++) {
      var said = rank < 2 ? FORCED : "NCCL_DEBUG set by environment to INFO";
      log.rank(rank, 4, 2, "Socket", "NCCL INFO " + said).up(rank, 4, 2);
      if (rank % 2 == 0) {
        log.edge(rank, 4, 2, "P2P/CUMEM/read");
      }
    }

    assertThat(log.findings().stream().filter(it -> it.kind() == FindingKind.P2P_READ))
        .extracting(Finding::severity, Finding::ranks)
        .containsExactlyInAnyOrder(
            tuple(Severity.WARNING, List.of(0)), tuple(Severity.INFO, List.of(2)));
  }

  private static List<Finding> read(String transport, String said) {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 2; rank++) {
      log.rank(rank, 2, 2, "Socket", "NCCL INFO " + said).up(rank, 2, 2);
      log.edge(rank, 2, 2, transport);
    }
    return log.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.P2P_READ)
        .toList();
  }
}
