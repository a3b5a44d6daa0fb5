package io.ringside.streams.detect.nics;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.HandMadeLog;
import java.util.List;
import org.junit.jupiter.api.Test;

class GdrMissingTest {
  private static final String DISABLED =
      "NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'";

  @Test
  void warnsWhereTheDriverDoesNotOfferItToCardsForDataCentres() {
    var log = twoHosts("NET/IB/0", DISABLED);
    log.say(0, 1, "NCCL INFO GPU/0-1000 :GPU/0-1000 (0/5000.0/LOC) GPU/0-2000 (1/240.0/NVL)");

    assertThat(missing(log))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.cause()).contains("nvidia-peermem");
            });
  }

  @Test
  void notesItWhereTheCardMayHaveNone() {
    assertThat(missing(twoHosts("NET/IB/0", DISABLED)))
        .singleElement()
        .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.INFO));
  }

  @Test
  void saysNothingWhereItIsInUseOrNobodySpeaksOfIt() {
    assertThat(missing(twoHosts("NET/IB/0/GDRDMA", DISABLED))).isEmpty();
    assertThat(missing(twoHosts("NET/IB/0"))).isEmpty();
  }

  @Test
  void tellsTheVariableThatTurnsItOff() {
    var off = "NCCL INFO NCCL_NET_GDR_LEVEL set by environment to LOC";
    var log = twoHosts("NET/IB/0", off);
    assertThat(missing(log))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.INFO);
              assertThat(finding.cause()).contains("NCCL_NET_GDR_LEVEL=LOC");
              assertThat(finding.evidence()).anyMatch(line -> line.text().contains(off));
            });

    // A100 alone pulls by itself
    log.edge(0, 2, 1, "P2P/CUMEM/read");
    assertThat(missing(log)).extracting(Finding::severity).containsExactly(Severity.WARNING);
    assertThat(missing(twoHosts("NET/IB/0", off.replace("LOC", "PHB")))).isEmpty();
  }

  @Test
  void warnsWhereAVariableForbidsWhatTheDriverOffers() {
    var log =
        twoHosts(
            "NET/IB/0",
            "NCCL INFO NCCL_NET_GDR_LEVEL set by environment to LOC",
            "NCCL INFO NET/IB : GPU Direct RDMA Enabled for HCA 0 'mlx5_0'");

    assertThat(missing(log)).extracting(Finding::severity).containsExactly(Severity.WARNING);
  }

  @Test
  void notesItOnGpusForDataCentresWhereNothingSaysWhy() {
    var log = twoHosts("NET/IBext_v8/0");
    assertThat(missing(log)).isEmpty();

    log.edge(0, 2, 1, "P2P/CUMEM/read");
    assertThat(missing(log)).extracting(Finding::severity).containsExactly(Severity.INFO);
  }

  /// As many ports as a machine for training has GPUs.
  @Test
  void notesItOnHostsWithManyPorts() {
    var ports = new StringBuilder("NCCL INFO NET/IB : Using");
    for (int port = 0; port < 7; port++) {
      ports.append(" [%d]mlx5_ib%d:1/IB/SHARP".formatted(port, port));
    }
    assertThat(missing(twoHosts("NET/IBext/0", ports + "; OOB eth0:10.35.4.13<0>"))).isEmpty();

    ports.append(" [7]mlx5_ib7:1/IB/SHARP; OOB eth0:10.35.4.13<0>");
    assertThat(missing(twoHosts("NET/IBext/0", ports.toString())))
        .extracting(Finding::severity)
        .containsExactly(Severity.INFO);
    assertThat(missing(twoHosts("NET/IBext/0/GDRDMA", ports.toString()))).isEmpty();
  }

  @Test
  void warnsWhereMostOthersHaveIt() {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 4; rank++) {
      log.rank(rank, 4, 1, "IB")
          .up(rank, 4, 1)
          .edge(rank, 4, 1, rank == 2 ? "NET/IB/0" : "NET/IB/0/GDRDMA");
    }
    assertThat(missing(log))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.ranks()).containsExactly(2);
            });
  }

  private static HandMadeLog twoHosts(String transport, String... extra) {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 2; rank++) {
      log.rank(rank, 2, 1, "IB", extra).up(rank, 2, 1).edge(rank, 2, 1, transport);
    }
    return log;
  }

  private static List<Finding> missing(HandMadeLog log) {
    return log.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.GDR_MISSING)
        .toList();
  }
}
