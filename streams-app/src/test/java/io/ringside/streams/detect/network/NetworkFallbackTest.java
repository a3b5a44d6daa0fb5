package io.ringside.streams.detect.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.HandMadeLog;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkFallbackTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "NCCL INFO NCCL_IB_HCA set by environment to mlx5_0,mlx5_1",
        "NCCL INFO NCCL_IB_HCA set to mlx5",
        "NCCL INFO NCCL_NET set by environment to IB",
        "NCCL INFO NET/Plugin: Loaded net plugin FasTrak (v8)",
        "NCCL INFO NCCL_NET_PLUGIN set by environment to gib",
        "NCCL INFO NCCL_FASTRAK_IFNAME set by environment to eth1,eth2",
        "NCCL INFO NET/IB : Using [0]mlx5_0:1/RoCE [RO]; OOB eth0:10.0.0.1<0>",
        "NCCL INFO NCCL_TOPO_FILE set by environment to /opt/microsoft/ndv4-topo.xml",
        "NCCL INFO NCCL_TOPO_FILE set by environment to /opt/microsoft/ndv5-topo.xml",
      })
  void isCriticalWhereSomethingAskedForAnotherNetwork(String asked) {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 4; rank++) {
      log.rank(rank, 4, 2, "Socket", asked).up(rank, 4, 2);
      log.edge(rank, 4, 2, rank % 2 == 0 ? "P2P/CUMEM" : "NET/Socket/0");
    }

    assertThat(fallbacks(log))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FindingKind.NETWORK_FALLBACK);
              assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(finding.evidence()).isNotEmpty();
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "+ export NCCL_NET=IB",
        "NCCL_IB_HCA=mlx5_0,mlx5_1",
        "+ mpirun -np 4 -x NCCL_NET=IB -x NCCL_DEBUG=INFO ./all_reduce_perf -b 8",
      })
  void isCriticalWhereSomethingWasDeclared(String declared) {
    var log = new HandMadeLog().line(declared);
    for (int rank = 0; rank < 4; rank++) {
      log.rank(rank, 4, 2, "Socket").up(rank, 4, 2);
      log.edge(rank, 4, 2, rank % 2 == 0 ? "P2P/CUMEM" : "NET/Socket/0");
    }

    assertThat(fallbacks(log))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FindingKind.NETWORK_FALLBACK);
              assertThat(finding.evidence()).anyMatch(line -> line.text().equals(declared));
            });
  }

  @Test
  void saysNothingWhereSocketsWereDeclared() {
    var log = new HandMadeLog().line("+ export NCCL_NET=Socket");
    for (int rank = 0; rank < 4; rank++) {
      log.rank(rank, 4, 2, "Socket").up(rank, 4, 2).edge(rank, 4, 2, "NET/Socket/0");
    }

    assertThat(fallbacks(log))
        .extracting(Finding::kind)
        .containsExactly(FindingKind.SOCKET_TRANSPORT);
  }

  @Test
  void namesTheHostThatAloneFellBack() {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 6; rank++) {
      log.rank(rank, 6, 2, rank / 2 == 1 ? "Socket" : "IB");
    }

    assertThat(fallbacks(log))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FindingKind.NETWORK_FALLBACK);
              assertThat(finding.ranks()).containsExactly(2, 3);
              assertThat(finding.nodes()).containsExactly("rack1-01");
            });
  }

  @Test
  void isSocketTransportWhereNothingAskedForMore() {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 2; rank++) {
      log.rank(rank, 2, 1, "Socket", "NCCL INFO NET/IB : No device found.").up(rank, 2, 1);
      log.edge(rank, 2, 1, "NET/Socket/0");
    }

    assertThat(fallbacks(log))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.kind()).isEqualTo(FindingKind.SOCKET_TRANSPORT);
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
            });
  }

  @Test
  void saysNothingOfOneHostThoughItHasAPluginAndVariablesForInfiniBand() {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 2; rank++) {
      log.rank(
              rank,
              2,
              2,
              "Socket",
              "NCCL INFO P2P plugin v8 IBext_v8",
              "NCCL INFO NCCL_IB_HCA set by environment to mlx5",
              "NCCL INFO NET/IB : No device found.")
          .up(rank, 2, 2)
          .edge(rank, 2, 2, "P2P/CUMEM");
    }

    assertThat(fallbacks(log)).isEmpty();
  }

  static List<Finding> fallbacks(HandMadeLog log) {
    return log.findings().stream()
        .filter(
            finding ->
                List.of(
                        FindingKind.NETWORK_FALLBACK,
                        FindingKind.EFA_FALLBACK,
                        FindingKind.SOCKET_TRANSPORT)
                    .contains(finding.kind()))
        .toList();
  }
}
