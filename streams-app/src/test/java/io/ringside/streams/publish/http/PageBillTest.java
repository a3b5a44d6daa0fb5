package io.ringside.streams.publish.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What faults cost, as a browser shows it. Needs Chromium (`apt-get install -y chromium`).
class PageBillTest {
  private static final Path GROUPS = Path.of("..", "examples", "recordings", "groups");

  @Test
  void drawsWhatTheRunWouldHaveTakenAndWhatAFaultAdded() throws Exception {
    var browser = Browser.installed();
    assumeTrue(browser.isPresent(), "no Chromium");
    try (var server = PagePreview.serve(0, PagePreview.views(List.of(GROUPS)))) {
      var seen =
          browser
              .get()
              .open(
                  "http://127.0.0.1:%d/#/job/tp?namespace=training"
                      .formatted(server.address().getPort()));

      assertThat(seen.dom())
          .contains("without all of it")
          .contains("+ straggler, rank 3")
          .contains("= as it was")
          .containsPattern("Without rank 3 this run ends 10 s sooner \\([0-9. s]+ to ");
      assertThat(seen.console()).isEmpty();
    }
  }
}
