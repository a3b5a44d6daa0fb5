package io.ringside.streams.detect.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.HandMadeLog;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkDegradedTest {
  @ParameterizedTest
  @CsvSource({"240.0, 20.0, true", "20.0, 240.0, true", "240.0, 240.0, false"})
  void comparesTheDirectionsOfAPair(String there, String back, boolean weak) {
    var log = up(2);
    log.say(
        0,
        2,
        "NCCL INFO GPU/0-1000 :GPU/0-1000 (0/5000.0/LOC) GPU/0-2000 (1/%s/NVL)".formatted(there));
    log.say(
        0,
        2,
        "NCCL INFO GPU/0-2000 :GPU/0-1000 (1/%s/NVL) GPU/0-2000 (0/5000.0/LOC)".formatted(back));

    assertThat(links(log)).hasSize(weak ? 1 : 0);
    if (weak) {
      assertThat(links(log).getFirst().ranks()).containsExactly(0, 1);
      assertThat(links(log).getFirst().severity()).isEqualTo(Severity.WARNING);
    }
  }

  @Test
  void comparesTheGpusBehindASwitch() {
    assertThat(links(switched(370.8, 370.8, 370.8, 370.8))).isEmpty();
    assertThat(links(switched(370.8, 185.4, 370.8, 370.8)))
        .singleElement()
        .satisfies(finding -> assertThat(finding.ranks()).containsExactly(1));
  }

  @Test
  void comparesTheGpusBehindASwitchByTheTreeOfTheMachine() {
    assertThat(links(tree(370.8))).isEmpty();
    assertThat(links(tree(185.4)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.ranks()).containsExactly(1);
              assertThat(finding.evidence().getFirst().text()).contains("NVL[185.4] - NVS/0-0");
            });
  }

  private static HandMadeLog tree(double second) {
    var log = up(4);
    for (int rank = 0; rank < 4; rank++) {
      log.say(rank, 4, "NCCL INFO CPU/0-0 (1/1/2)");
      for (int gpu = 0; gpu < 4; gpu++) {
        log.say(rank, 4, "NCCL INFO + PCI[48.0] - PCI/0-1%d000 (1000c03015d9197b)".formatted(gpu));
        log.say(
            rank,
            4,
            "NCCL INFO               + PCI[48.0] - GPU/0-%d000 (%d)".formatted(gpu + 1, gpu));
        log.say(
            rank,
            4,
            "NCCL INFO                             + NVL[%s] - NVS/0-0"
                .formatted(gpu == 1 ? second : 370.8));
      }
    }
    return log;
  }

  @Test
  void leavesTheHybridMeshAlone() {
    // a V100 has two links to some of its neighbours and one to others
    assertThat(
            links(
                mesh(
                    new double[][] {
                      {0, 20, 20, 40}, {20, 0, 40, 20}, {20, 40, 0, 20}, {40, 20, 20, 0}
                    })))
        .isEmpty();
  }

  @Test
  void comparesThePairsOfAMesh() {
    assertThat(
            links(
                mesh(
                    new double[][] {
                      {0, 80, 80, 80}, {80, 0, 80, 20}, {80, 80, 0, 80}, {80, 20, 80, 0}
                    })))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.ranks()).containsExactly(1, 3);
              assertThat(finding.summary()).contains("20 GB/s", "80 between all others");
            });
    assertThat(
            links(
                mesh(
                    new double[][] {
                      {0, 80, 80, 80}, {80, 0, 80, 80}, {80, 80, 0, 80}, {80, 80, 80, 0}
                    })))
        .isEmpty();
  }

  private static HandMadeLog mesh(double[][] links) {
    var log = up(4);
    for (int from = 0; from < 4; from++) {
      var line = new StringBuilder("NCCL INFO GPU/%d000 :".formatted(from + 1));
      for (int to = 0; to < 4; to++) {
        line.append(
            from == to
                ? "GPU/%d000 (0/5000.000000/LOC) ".formatted(to + 1)
                : "GPU/%d000 (1/%.6f/NVL) ".formatted(to + 1, links[from][to]));
      }
      log.say(0, 4, line.toString());
    }
    return log;
  }

  @Test
  void seesASlotWithFewerLanesThanTheOthers() {
    var log = up(4);
    for (int gpu = 0; gpu < 4; gpu++) {
      log.say(
          0,
          4,
          "NCCL INFO GPU/0-%d000 :GPU/0-%d000 (0/5000.0/LOC) CPU/0-0 (2/%s/PHB) "
              .formatted(gpu + 1, gpu + 1, gpu == 2 ? "6.0" : "24.0"));
    }

    assertThat(links(log))
        .singleElement()
        .satisfies(finding -> assertThat(finding.summary()).contains("PCIe of GPU 0000:03:00.0"));
  }

  /// NCCL believes a file that somebody gave it.
  @Test
  void isANoteWhereATopologyFileMaySaySo() {
    for (var file : new boolean[] {true, false}) {
      var log = new HandMadeLog();
      for (int rank = 0; rank < 2; rank++) {
        log.rank(rank, 2, 2, "Socket");
        if (file) {
          log.say(rank, 2, "NCCL INFO NCCL_TOPO_FILE set by environment to /home/me/topo.xml");
        }
        log.say(
            rank,
            2,
            "NCCL INFO GPU/0-1000 :GPU/0-1000 (0/5000.0/LOC) GPU/0-2000 (1/240.0/NVL) CPU/0-0 (1/24.0/PHB) ");
        log.say(
            rank,
            2,
            "NCCL INFO GPU/0-2000 :GPU/0-1000 (1/20.0/NVL) GPU/0-2000 (0/5000.0/LOC) CPU/0-0 (1/24.0/PHB) ");
        log.up(rank, 2, 2);
      }

      assertThat(links(log))
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.severity()).isEqualTo(file ? Severity.INFO : Severity.WARNING);
                if (file) {
                  assertThat(finding.cause()).contains("NCCL_TOPO_FILE");
                }
              });
    }
  }

  @Test
  void namesTheHostWhoseRingsAreSlowerThanItsPeers() {
    var log = new HandMadeLog();
    for (int rank = 0; rank < 6; rank++) {
      log.rank(rank, 6, 2, "IB");
      log.say(
          rank,
          2,
          "NCCL INFO Pattern 4, crossNic 0, nChannels %d, bw 20.0/20.0, type %s, sameChannels 1"
              .formatted(rank / 2 == 1 ? 1 : 12, rank / 2 == 1 ? "SYS/PIX" : "NVL/PIX"));
      log.up(rank, 6, 2);
    }

    assertThat(links(log))
        .singleElement()
        .satisfies(finding -> assertThat(finding.ranks()).containsExactly(2, 3));
  }

  @Test
  void namesTheWorseOfTwoHostsThatAreAlike() {
    assertThat(links(two(host(240, 24, "12, bw 20.0/20.0, type NVL")))).isEmpty();
    assertThat(links(two(host(20, 24, "12, bw 20.0/20.0, type NVL"))))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.ranks()).containsExactly(4, 5, 6, 7);
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.summary())
                  .contains("NVLink", "rack1-01 carries 20 GB/s", "rack1-00 240 GB/s");
              assertThat(finding.evidence().getFirst().text()).contains("NVL[20.0]");
            });
    assertThat(links(two(host(240, 6, "12, bw 20.0/20.0, type NVL"))))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.ranks()).containsExactly(4, 5, 6, 7);
              assertThat(finding.summary()).contains("PCIe", "6 GB/s", "24 GB/s");
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "12, bw 20.0/20.0, type PHB | over PHB",
        "12, bw 10.0/10.0, type NVL | 10 GB/s",
        "6, bw 20.0/20.0, type NVL | 6 rings"
      })
  void namesTheHostOfTwoThatFoundWorseRings(String rings, String told) {
    assertThat(links(two(host(240, 24, rings))))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.ranks()).containsExactly(4, 5, 6, 7);
              assertThat(finding.summary()).contains(told, "12 rings of 20 GB/s over NVL");
            });
  }

  @Test
  void takesNoHostOfAnotherKindForTheMeasure() {
    var rings = "12, bw 20.0/20.0, type NVL";
    // an A100 beside an H100: no whole number of its links
    assertThat(links(two(new Host(370.8, 24, rings, "", 1), host(240, 24, rings)))).isEmpty();
    // both NVLink and PCIe are others
    assertThat(links(two(host(120, 12, rings)))).isEmpty();
    // other GPUs of the machine
    assertThat(links(two(new Host(120, 24, rings, "", 3)))).isEmpty();
    assertThat(links(two(new Host(240, 24, "2, bw 10.0/10.0, type PHB", "", 3)))).isEmpty();
    assertThat(links(two(new Host(120, 24, rings, "NCCL_P2P_DISABLE set by environment to 1", 1))))
        .isEmpty();
    assertThat(links(two(new Host(120, 24, rings, "NCCL version 2.27.3+cuda12.9", 1)))).isEmpty();
  }

  @Test
  void leavesAVariableThatOneHostHasAlone() {
    var usual = host(240, 24, "12, bw 20.0/20.0, type NVL");
    var without = "12, bw 10.0/10.0, type PHB";
    assertThat(links(hosts(usual, usual, host(240, 24, without)))).hasSize(1);
    assertThat(
            links(
                hosts(
                    usual,
                    usual,
                    new Host(240, 24, without, "NCCL_P2P_DISABLE set by environment to 1", 1))))
        .isEmpty();
    // where most are worse, the best may be another kind of machine
    assertThat(links(hosts(usual, host(120, 24, without), host(120, 24, without)))).isEmpty();
  }

  @Test
  void comparesWithTheLastGoodRun() {
    assertThat(links(runs(240, 240))).isEmpty();
    assertThat(links(runs(20, 240))).isEmpty();
    assertThat(links(runs(240, 20)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.run()).isEqualTo("0xbbb");
              assertThat(finding.ranks()).containsExactly(0, 1, 2, 3);
              assertThat(finding.summary()).contains("20 GB/s", "240 GB/s");
              assertThat(finding.expected()).contains("0xaaa");
            });
  }

  @Test
  void seesASlotInTheTreeAlone() {
    var log = up(4);
    for (int gpu = 0; gpu < 4; gpu++) {
      log.say(0, 4, "NCCL INFO + PCI[24.0] - PCI/%d1000 (1000c030)".formatted(gpu + 1));
      log.say(
          0,
          4,
          "NCCL INFO               + PCI[%s] - GPU/%d000 (%d)"
              .formatted(gpu == 2 ? "3.0" : "24.0", gpu + 1, gpu));
      log.say(
          0,
          4,
          "NCCL INFO               + PCI[%s] - NIC/%d8000"
              .formatted(gpu == 1 ? "12.0" : "24.0", gpu + 1));
    }

    assertThat(links(log))
        .satisfiesExactly(
            finding -> {
              assertThat(finding.summary()).contains("PCIe of GPU 0000:03:00.0 carries 3 GB/s");
              assertThat(finding.ranks()).containsExactly(2);
              assertThat(finding.evidence().getFirst().text()).contains("PCI[3.0] - GPU/3000");
            },
            finding -> assertThat(finding.summary()).contains("network card 28000"));
  }

  @Test
  void leavesCardsThatAreNotOneForEachGpuAlone() {
    var log = up(4);
    for (int gpu = 0; gpu < 4; gpu++) {
      log.say(0, 4, "NCCL INFO + PCI[24.0] - GPU/%d000 (%d)".formatted(gpu + 1, gpu));
      log.say(0, 4, "NCCL INFO + PCI[24.0] - NIC/%d8000".formatted(gpu + 1));
    }
    log.say(0, 4, "NCCL INFO + PCI[6.0] - NIC/f8000");

    assertThat(links(log)).isEmpty();
  }

  /// @param more a message of each of its ranks
  /// @param firstGpu of four
  private record Host(double nvlink, double pcie, String rings, String more, int firstGpu) {}

  private static Host host(double nvlink, double pcie, String rings) {
    return new Host(nvlink, pcie, rings, "", 1);
  }

  private static HandMadeLog two(Host second) {
    return two(host(240, 24, "12, bw 20.0/20.0, type NVL"), second);
  }

  private static HandMadeLog two(Host first, Host second) {
    return hosts(first, second);
  }

  private static HandMadeLog hosts(Host... hosts) {
    var log = new HandMadeLog();
    int nranks = 4 * hosts.length;
    for (int rank = 0; rank < nranks; rank++) {
      var host = hosts[rank / 4];
      log.rank(rank, nranks, 4, "IB", "NCCL INFO NCCL version 2.21.5+cuda12.4");
      if (!host.more().isEmpty()) {
        log.say(rank, 4, "NCCL INFO " + host.more());
      }
      tree(log, rank, host);
      log.up(rank, nranks, 4);
    }
    return log;
  }

  private static void tree(HandMadeLog log, int rank, Host host) {
    for (int gpu = host.firstGpu(); gpu < host.firstGpu() + 4; gpu++) {
      log.say(rank, 4, "NCCL INFO + PCI[%.1f] - GPU/%d000 (0)".formatted(host.pcie(), gpu));
      log.say(rank, 4, "NCCL INFO       + NVL[%.1f] - NVS/0".formatted(host.nvlink()));
    }
    log.say(
        rank,
        4,
        "NCCL INFO Pattern 4, crossNic 0, nChannels %s/PIX, sameChannels 1"
            .formatted(host.rings()));
  }

  /// Two runs of one host.
  private static HandMadeLog runs(double yesterday, double today) {
    var log = new HandMadeLog();
    int pid = 100;
    for (var comm : List.of("0xaaa", "0xbbb")) {
      for (int rank = 0; rank < 4; rank++) {
        var header = "rack1-00:%d:%d [%d] NCCL INFO ".formatted(pid + rank, pid + rank, rank);
        var init =
            "ncclCommInitRank comm 0x55 rank %d nranks 4 cudaDev %d nvmlDev %d busId %d000 commId %s - Init "
                .formatted(rank, rank, rank, rank + 1, comm);
        log.line(header + init + "START");
        for (int gpu = 1; gpu <= 4; gpu++) {
          log.line(header + "+ PCI[24.0] - GPU/%d000 (0)".formatted(gpu));
          log.line(
              header
                  + "      + NVL[%.1f] - NVS/0"
                      .formatted(comm.equals("0xaaa") ? yesterday : today));
        }
        log.line(
            header
                + "comm 0x55 rank %d nRanks 4 nNodes 1 localRanks 4 localRank %d MNNVL 0"
                    .formatted(rank, rank));
        log.line(header + init + "COMPLETE");
      }
      pid += 100;
    }
    return log;
  }

  private static HandMadeLog up(int ranks) {
    var log = new HandMadeLog();
    for (int rank = 0; rank < ranks; rank++) {
      log.rank(rank, ranks, ranks, "Socket").up(rank, ranks, ranks);
    }
    return log;
  }

  private static HandMadeLog switched(double... links) {
    var log = up(links.length);
    for (int from = 0; from < links.length; from++) {
      var line = new StringBuilder("NCCL INFO GPU/0-%d000 :".formatted(from + 1));
      for (int to = 0; to < links.length; to++) {
        line.append(
            from == to
                ? "GPU/0-%d000 (0/5000.0/LOC) ".formatted(to + 1)
                : "GPU/0-%d000 (2/%.1f/NVL) ".formatted(to + 1, Math.min(links[from], links[to])));
      }
      log.say(0, links.length, line.append("NVS/0-0 (1/370.8/NVL) ").toString());
    }
    return log;
  }

  private static List<Finding> links(HandMadeLog log) {
    return log.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.LINK_DEGRADED)
        .toList();
  }
}
