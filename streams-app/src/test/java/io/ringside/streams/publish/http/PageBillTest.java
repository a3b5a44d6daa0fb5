package io.ringside.streams.publish.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// What faults cost, as a browser shows it. Needs Chromium (`apt-get install -y chromium`).
class PageBillTest {
  private static final Path GROUPS = Path.of("..", "examples", "recordings", "groups");

  @Test
  void drawsWhatTheRunWouldHaveTakenAndWhatAFaultAdded() throws Exception {
    var seen = Browser.ofRecorded(GROUPS, "/job/tp?namespace=training");

    assertThat(seen.dom())
        .contains("without all of it")
        .contains("+ straggler, rank 3")
        .contains("= as it was")
        .containsPattern("Without rank 3 this run ends 9\\.91 s sooner \\([0-9. s]+ to ");
    assertThat(seen.console()).isEmpty();
  }

  @Test
  void tellsWhatAFaultGoesOnToCostIfNobodyActs() throws Exception {
    var seen = Browser.ofRecorded(GROUPS, "/job/finetune-8b");

    assertThat(seen.dom())
        .contains(
            "If nobody acts, rank 2 takes 25 % of the time (21 to 30 %): 1.0 GPU-h an hour, 24 GPU-h a day, 60.00 at your price; as in the last 6 min.");
    assertThat(seen.console()).isEmpty();
  }
}
