package io.ringside.streams.detect.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.detect.Told;
import java.util.List;
import org.junit.jupiter.api.Test;

class SavedNvlinkErrorsTest {
  private static final int GPUS = 4;

  @Test
  void errorsThatRoseOnOneGpuAlone() {
    var told = job();
    listing(told, 0, 0, 0, 0);
    listing(told, 0, 0, 212, 0);

    var found = found(told);

    assertThat(found).singleElement().extracting(Finding::ranks).isEqualTo(List.of(2));
    assertThat(found.getFirst().summary()).contains("GPU 2 recovered 212 times");
    assertThat(found.getFirst().evidence().getFirst().text()).contains("Recovery Errors: 212");
  }

  @Test
  void whicheverWasSavedFirst() {
    var told = job();
    listing(told, 0, 0, 212, 0);
    listing(told, 0, 0, 0, 0);

    assertThat(found(told)).hasSize(1);
  }

  @Test
  void nothingWhereItIsOfLongAgo() {
    var told = job();
    listing(told, 0, 0, 212, 0);
    assertThat(found(told)).as("one time alone").isEmpty();
    listing(told, 0, 0, 212, 0);
    assertThat(found(told)).as("none since").isEmpty();
  }

  @Test
  void nothingWhereAllDo() {
    var told = job();
    listing(told, 0, 0, 0, 0);
    listing(told, 190, 230, 212, 200);

    assertThat(found(told)).isEmpty();
  }

  private static Told job() {
    var told = new Told();
    for (int rank = 0; rank < GPUS; rank++) {
      told.rank(rank, GPUS, GPUS, "Socket").edge(rank, GPUS, GPUS, "P2P/CUMEM");
      told.up(rank, GPUS, GPUS);
    }
    return told;
  }

  private static void listing(Told told, long... recoveries) {
    for (int gpu = 0; gpu < recoveries.length; gpu++) {
      told.line("GPU %d: NVIDIA H100 80GB HBM3 (UUID: GPU-9089d67b-%04d)".formatted(gpu, gpu));
      for (int link = 0; link < 2; link++) {
        told.line("\t Link %d: Replay Errors: 0".formatted(link));
        told.line(
            "\t Link %d: Recovery Errors: %d".formatted(link, link == 0 ? recoveries[gpu] : 0));
        told.line("\t Link %d: CRC Errors: 0".formatted(link));
      }
    }
  }

  private static List<Finding> found(Told told) {
    return told.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.LINK_DEGRADED)
        .toList();
  }
}
