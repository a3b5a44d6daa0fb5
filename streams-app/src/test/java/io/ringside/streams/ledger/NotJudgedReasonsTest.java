package io.ringside.streams.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.streams.detect.HandMadeLog;
import org.junit.jupiter.api.Test;

class NotJudgedReasonsTest {
  private static final String ENVIRONMENT = "NCCL INFO NCCL_DEBUG set by environment to INFO";

  @Test
  void aProcessWithoutACommunicatorIsNoJobOfOneRank() {
    var run = new HandMadeLog().say(0, 1, ENVIRONMENT).line("NCCL version 2.26.2+cuda12.6").run();

    assertThat(run.notJudged()).extracting(NotJudged::what).contains("transport", "waits", "steps");
  }

  @Test
  void fourNumbersAreNoTableOfNcclTests() {
    var log = new HandMadeLog().say(0, 1, ENVIRONMENT).line("NCCL version 2.26.2+cuda12.6");
    log.line("  Nodes  Processes         GPUs  Processes     GPUs");
    log.line("      4          8            1         32       32");

    assertThat(log.run().notJudged()).extracting(NotJudged::what).contains("waits", "steps");
  }

  @Test
  void smallSizesTellNoBandwidth() {
    assertThat(tested("       65536", 8).notJudged())
        .extracting(NotJudged::what)
        .contains("bandwidth")
        .doesNotContain("transport");
    assertThat(tested("  1073741824", 8).notJudged())
        .extracting(NotJudged::what)
        .doesNotContain("bandwidth");
  }

  @Test
  void saysWhereNobodyKnowsWhatTheLinksCarry() {
    assertThat(tested("  1073741824", 2).notJudged())
        .filteredOn(each -> each.what().equals("bandwidth"))
        .singleElement()
        .satisfies(each -> assertThat(each.because()).contains("is not known"));
  }

  private static RunSummary tested(String bytes, int gpus) {
    var log = new HandMadeLog();
    for (int gpu = 0; gpu < gpus; gpu++) {
      log.line(
          "#  Rank  %1$d Group  0 Pid   4242 on   dgx-01 device  %1$d [0x%2$02x] NVIDIA H100 80GB HBM3"
              .formatted(gpu, 0x1b + gpu));
    }
    log.line(
        bytes
            + "         16384     float     sum      -1    33.10    1.98    2.97      0    32.90    1.99    2.99      0");
    log.line("# Out of bounds values : 0 OK");
    return log.run();
  }
}
