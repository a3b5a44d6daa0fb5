package io.ringside.streams.detect.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadLinksTest {
  private static final String SXM = "NVIDIA A100-SXM4-80GB";
  private static final int LINKS = 12;

  /// Drivers write the word both ways.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "NVML: Unable to retrieve NVLink information as all links are inActive",
        "NVML: Unable to retrieve Nvlink information as all links are inactive"
      })
  void aGpuWithoutLinksAmongLinkedOnes(String words) {
    var lines = new ArrayList<String>();
    gpu(lines, 0, SXM, 0);
    gpu(lines, 1, SXM, 0);
    lines.add(heading(2, SXM));
    lines.add(words);
    gpu(lines, 3, SXM, 0);

    assertThat(told(lines))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.severity()).isEqualTo(Severity.WARNING);
              assertThat(found.summary()).contains("GPU 2").contains("no NVLink is up");
              assertThat(found.evidence().getFirst().text()).isEqualTo(words);
            });
  }

  @Test
  void aGpuWithFewerLinksThanItsPeers() {
    var lines = new ArrayList<String>();
    for (int gpu = 0; gpu < 4; gpu++) {
      gpu(lines, gpu, "Tesla V100-SXM2-32GB", gpu == 3 ? 2 : 0);
    }

    assertThat(told(lines))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.severity()).isEqualTo(Severity.WARNING);
              assertThat(found.summary()).contains("GPU 3").contains("2 of 12 NVLinks are not up");
            });
  }

  /// Four GPUs that are linked one to one: whoever was linked to the dead one lacks some as well.
  @Test
  void thoseThatWereLinkedToItAreNotToBlame() {
    var lines = new ArrayList<String>();
    gpu(lines, 0, SXM, 4);
    none(lines, 1, SXM);
    gpu(lines, 2, SXM, 4);
    gpu(lines, 3, SXM, 4);

    assertThat(told(lines)).singleElement().asString().contains("GPU 1");
  }

  /// Some machines are built, or rented out, without; and the listing of one GPU shows no peer.
  @Test
  void aNoteWhereNobodyIsLinked() {
    var lines = new ArrayList<String>();
    none(lines, 0, SXM);
    none(lines, 1, SXM);
    assertThat(told(lines)).hasSize(2).allMatch(found -> found.severity() == Severity.INFO);

    var one = new ArrayList<String>();
    none(one, 6, SXM);
    assertThat(told(one)).hasSize(1).allMatch(found -> found.severity() == Severity.INFO);
  }

  @Test
  void nothingWhereOneGpuIsAll() {
    var lines = new ArrayList<String>();
    none(lines, 0, SXM);
    assertThat(told(lines)).isEmpty();

    lines.clear();
    none(lines, 0, "NVIDIA GH200 480GB");
    assertThat(told(lines)).isEmpty();
  }

  /// Two of three cards are bridged.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "NVIDIA RTX A6000",
        "NVIDIA A100-PCIE-40GB",
        "NVIDIA A100 80GB PCIe",
        "NVIDIA H100 NVL",
        "NVIDIA H200 NVL",
        "NVIDIA GeForce RTX 3090",
        "Tesla T4"
      })
  void nothingOfCardsInSlots(String model) {
    var lines = new ArrayList<String>();
    gpu(lines, 0, model, 0);
    gpu(lines, 1, model, 0);
    none(lines, 2, model);

    assertThat(told(lines)).isEmpty();
  }

  @Test
  void nothingWhereAllLackTheSame() {
    var lines = new ArrayList<String>();
    for (int gpu = 0; gpu < 4; gpu++) {
      gpu(lines, gpu, SXM, 4); // as A800 does
    }

    assertThat(told(lines)).isEmpty();
  }

  @Test
  void nothingOnceTheyAreUpAgain() {
    var lines = new ArrayList<String>();
    gpu(lines, 0, SXM, 0);
    none(lines, 1, SXM);
    gpu(lines, 0, SXM, 0);
    gpu(lines, 1, SXM, 0);

    assertThat(told(lines)).isEmpty();
  }

  /// `dcgmi nvlink -s` names no model: three of four that are linked are no pairs with a bridge.
  @Test
  void aGpuThatDcgmShowsWithoutLinks() {
    assertThat(told(dcgmi("U U U U", "D D D D", "U U U U", "U U U U")))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.severity()).isEqualTo(Severity.WARNING);
              assertThat(found.summary()).contains("GPU 1: 4 of 4 NVLinks are not up");
            });
    assertThat(told(dcgmi("U U U U", "U U X U", "U U U U", "U U U U"))).hasSize(1);
  }

  @Test
  void nothingWhereDcgmShowsAllLinkedOrPairsOrNone() {
    assertThat(told(dcgmi("U U U U", "U U U U", "U U U U", "U U U U"))).isEmpty();
    assertThat(told(dcgmi("U U U U", "U U U U", "D D D D"))).isEmpty();
    assertThat(told(dcgmi("U U X X", "U U X X", "U U X X"))).isEmpty();
    assertThat(told(dcgmi("_ _ _ _", "_ _ _ _"))).isEmpty();
  }

  private static List<String> dcgmi(String... gpus) {
    var lines = new ArrayList<String>(List.of("|  NvLink Link Status  |", "GPUs:"));
    for (int gpu = 0; gpu < gpus.length; gpu++) {
      lines.add("    gpuId %d:".formatted(gpu));
      lines.add("        " + gpus[gpu]);
    }
    lines.addAll(List.of("NvSwitches:", "    physicalId 8:", "        X D X X"));
    lines.add("Key: Up=U, Down=D, Disabled=X, Not Supported=_");
    return lines;
  }

  private static String heading(int gpu, String model) {
    return "GPU %d: %s (UUID: GPU-5269b708-%04d)".formatted(gpu, model, gpu);
  }

  private static void none(List<String> lines, int gpu, String model) {
    lines.add(heading(gpu, model));
    lines.add("NVML: Unable to retrieve NVLink information as all links are inActive");
  }

  private static void gpu(List<String> lines, int gpu, String model, int inactive) {
    lines.add(heading(gpu, model));
    for (int link = 0; link < LINKS; link++) {
      lines.add(
          link < inactive
              ? "\t Link %d: <inactive>".formatted(link)
              : "\t Link %d: 25.781 GB/s".formatted(link));
    }
  }

  private static List<Finding> told(List<String> lines) {
    return Recorded.of(Map.of("links.txt", lines)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.LINK_DEGRADED)
        .toList();
  }
}
