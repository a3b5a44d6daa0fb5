package io.ringside.streams.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.RunSummary.NotJudged;
import io.ringside.streams.detect.Told;
import org.junit.jupiter.api.Test;

class JudgedTest {
  private static final String ENVIRONMENT = "NCCL INFO NCCL_DEBUG set by environment to INFO";

  @Test
  void aProcessWithoutACommunicatorIsNoJobOfOneRank() {
    var run = new Told().say(0, 1, ENVIRONMENT).line("NCCL version 2.26.2+cuda12.6").run();

    assertThat(run.notJudged()).extracting(NotJudged::what).contains("transport", "waits", "steps");
  }

  @Test
  void fourNumbersAreNoTableOfNcclTests() {
    var told = new Told().say(0, 1, ENVIRONMENT).line("NCCL version 2.26.2+cuda12.6");
    told.line("  Nodes  Processes         GPUs  Processes     GPUs");
    told.line("      4          8            1         32       32");

    assertThat(told.run().notJudged()).extracting(NotJudged::what).contains("waits", "steps");
  }
}
