package io.ringside.streams.detect.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Told;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkDegradedTest {
  @ParameterizedTest
  @CsvSource({"240.0, 20.0, true", "20.0, 240.0, true", "240.0, 240.0, false"})
  void comparesTheDirectionsOfAPair(String there, String back, boolean weak) {
    var told = up(2);
    told.say(
        0,
        2,
        "NCCL INFO GPU/0-1000 :GPU/0-1000 (0/5000.0/LOC) GPU/0-2000 (1/%s/NVL)".formatted(there));
    told.say(
        0,
        2,
        "NCCL INFO GPU/0-2000 :GPU/0-1000 (1/%s/NVL) GPU/0-2000 (0/5000.0/LOC)".formatted(back));

    assertThat(links(told)).hasSize(weak ? 1 : 0);
    if (weak) {
      assertThat(links(told).getFirst().ranks()).containsExactly(0, 1);
      assertThat(links(told).getFirst().severity()).isEqualTo(Severity.WARNING);
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

  private static Told tree(double second) {
    var told = up(4);
    for (int rank = 0; rank < 4; rank++) {
      told.say(rank, 4, "NCCL INFO CPU/0-0 (1/1/2)");
      for (int gpu = 0; gpu < 4; gpu++) {
        told.say(rank, 4, "NCCL INFO + PCI[48.0] - PCI/0-1%d000 (1000c03015d9197b)".formatted(gpu));
        told.say(
            rank,
            4,
            "NCCL INFO               + PCI[48.0] - GPU/0-%d000 (%d)".formatted(gpu + 1, gpu));
        told.say(
            rank,
            4,
            "NCCL INFO                             + NVL[%s] - NVS/0-0"
                .formatted(gpu == 1 ? second : 370.8));
      }
    }
    return told;
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

  private static Told mesh(double[][] links) {
    var told = up(4);
    for (int from = 0; from < 4; from++) {
      var line = new StringBuilder("NCCL INFO GPU/%d000 :".formatted(from + 1));
      for (int to = 0; to < 4; to++) {
        line.append(
            from == to
                ? "GPU/%d000 (0/5000.000000/LOC) ".formatted(to + 1)
                : "GPU/%d000 (1/%.6f/NVL) ".formatted(to + 1, links[from][to]));
      }
      told.say(0, 4, line.toString());
    }
    return told;
  }

  @Test
  void seesASlotWithFewerLanesThanTheOthers() {
    var told = up(4);
    for (int gpu = 0; gpu < 4; gpu++) {
      told.say(
          0,
          4,
          "NCCL INFO GPU/0-%d000 :GPU/0-%d000 (0/5000.0/LOC) CPU/0-0 (2/%s/PHB) "
              .formatted(gpu + 1, gpu + 1, gpu == 2 ? "6.0" : "24.0"));
    }

    assertThat(links(told))
        .singleElement()
        .satisfies(finding -> assertThat(finding.summary()).contains("PCIe of GPU 0000:03:00.0"));
  }

  @Test
  void namesTheHostWhoseRingsAreSlowerThanItsPeers() {
    var told = new Told();
    for (int rank = 0; rank < 6; rank++) {
      told.rank(rank, 6, 2, "IB");
      told.say(
          rank,
          2,
          "NCCL INFO Pattern 4, crossNic 0, nChannels %d, bw 20.0/20.0, type %s, sameChannels 1"
              .formatted(rank / 2 == 1 ? 1 : 12, rank / 2 == 1 ? "SYS/PIX" : "NVL/PIX"));
      told.up(rank, 6, 2);
    }

    assertThat(links(told))
        .singleElement()
        .satisfies(finding -> assertThat(finding.ranks()).containsExactly(2, 3));
  }

  private static Told up(int ranks) {
    var told = new Told();
    for (int rank = 0; rank < ranks; rank++) {
      told.rank(rank, ranks, ranks, "Socket").up(rank, ranks, ranks);
    }
    return told;
  }

  private static Told switched(double... links) {
    var told = up(links.length);
    for (int from = 0; from < links.length; from++) {
      var line = new StringBuilder("NCCL INFO GPU/0-%d000 :".formatted(from + 1));
      for (int to = 0; to < links.length; to++) {
        line.append(
            from == to
                ? "GPU/0-%d000 (0/5000.0/LOC) ".formatted(to + 1)
                : "GPU/0-%d000 (2/%.1f/NVL) ".formatted(to + 1, Math.min(links[from], links[to])));
      }
      told.say(0, links.length, line.append("NVS/0-0 (1/370.8/NVL) ").toString());
    }
    return told;
  }

  private static List<Finding> links(Told told) {
    return told.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.LINK_DEGRADED)
        .toList();
  }
}
