package io.ringside.streams.detect.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.detect.HandMadeLog;
import java.util.List;
import org.junit.jupiter.api.Test;

class SavedNvlinkErrorsTest {
  private static final int GPUS = 4;

  @Test
  void errorsThatRoseOnOneGpuAlone() {
    var log = job();
    listing(log, 0, 0, 0, 0);
    listing(log, 0, 0, 212, 0);

    var found = found(log);

    assertThat(found).singleElement().extracting(Finding::ranks).isEqualTo(List.of(2));
    assertThat(found.getFirst().summary()).contains("GPU 2 recovered 212 times");
    assertThat(found.getFirst().evidence().getFirst().text()).contains("Recovery Errors: 212");
  }

  @Test
  void whicheverWasSavedFirst() {
    var log = job();
    listing(log, 0, 0, 212, 0);
    listing(log, 0, 0, 0, 0);

    assertThat(found(log)).hasSize(1);
  }

  @Test
  void nothingWhereItIsOfLongAgo() {
    var log = job();
    listing(log, 0, 0, 212, 0);
    assertThat(found(log)).as("one time alone").isEmpty();
    listing(log, 0, 0, 212, 0);
    assertThat(found(log)).as("none since").isEmpty();
  }

  @Test
  void nothingWhereAllDo() {
    var log = job();
    listing(log, 0, 0, 0, 0);
    listing(log, 190, 230, 212, 200);

    assertThat(found(log)).isEmpty();
  }

  private static HandMadeLog job() {
    var log = new HandMadeLog();
    for (int rank = 0; rank < GPUS; rank++) {
      log.rank(rank, GPUS, GPUS, "Socket").edge(rank, GPUS, GPUS, "P2P/CUMEM");
      log.up(rank, GPUS, GPUS);
    }
    return log;
  }

  private static void listing(HandMadeLog log, long... recoveries) {
    for (int gpu = 0; gpu < recoveries.length; gpu++) {
      log.line("GPU %d: NVIDIA H100 80GB HBM3 (UUID: GPU-9089d67b-%04d)".formatted(gpu, gpu));
      for (int link = 0; link < 2; link++) {
        log.line("\t Link %d: Replay Errors: 0".formatted(link));
        log.line(
            "\t Link %d: Recovery Errors: %d".formatted(link, link == 0 ? recoveries[gpu] : 0));
        log.line("\t Link %d: CRC Errors: 0".formatted(link));
      }
    }
  }

  private static List<Finding> found(HandMadeLog log) {
    return log.findings().stream()
        .filter(finding -> finding.kind() == FindingKind.LINK_DEGRADED)
        .toList();
  }
}
