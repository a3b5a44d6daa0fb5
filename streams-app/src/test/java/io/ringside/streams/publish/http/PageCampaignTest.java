package io.ringside.streams.publish.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Where the fleet's hours went, as a browser shows it. Needs Chromium
/// (`apt-get install -y chromium`).
class PageCampaignTest {
  private static final Path GROUPS = Path.of("..", "examples", "recordings", "groups");

  @Test
  void tellsGoodputWhatCostMostAndWhatIsNotKnown() throws Exception {
    var seen = Browser.ofRecorded(GROUPS, "/campaign");

    assertThat(seen.dom())
        .containsPattern("Goodput</span> [0-9.]+ %")
        .contains("productive training")
        .contains("straggler")
        .containsPattern("plugin loaded</span>, <span[^>]*>no price known")
        .contains("Machines that cost most");
    assertThat(seen.console()).isEmpty();
  }
}
