package io.ringside.streams.publish.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// The page without a mouse, and as a screen reader has it. Needs Chromium.
class PageKeyboardTest {
  @TempDir(cleanup = CleanupMode.NEVER)
  private Path profile;

  @Test
  void canBeWalkedWithTheKeyboardAndReadsWhatItDraws() throws Exception {
    var browser = Browser.installed();
    assumeTrue(browser.isPresent(), "chromium is not installed");
    try (var server = PagePreview.serve(0, PagePreview.views(List.of()));
        var page =
            OpenPage.open(
                browser.orElseThrow(),
                "http://127.0.0.1:" + server.address().getPort() + "/#/job/pretrain-70b",
                profile)) {
      page.await("document.getElementById('matrix') !== null");

      var reached = new TreeSet<String>();
      for (int i = 0; i < 90; i++) {
        page.press("Tab");
        reached.add(page.value("document.activeElement.id"));
      }
      assertThat(reached).contains("theme", "waits-map", "all-ranks", "matrix", "environment");

      page.value("document.getElementById('matrix').focus()");
      page.press("ArrowDown");
      page.press("ArrowRight");
      assertThat(page.value("document.getElementById('matrix-readout').textContent"))
          .isEqualTo("node ip-10-0-0-0 → node ip-10-0-0-1: NET/Libfabric/GDRDMA, 32 edges");

      assertThat(page.accessibilityTree())
          .contains("128 by 128 nodes.")
          .contains("Waits by rank, the most to blame first")
          .contains("Rank 517 kept the others waiting the longest");
    }
  }

  /// Each word once, by the Tab key; the words of controls are told as the control is reached.
  @Test
  void tellsWordsToWhoeverHasNoPointer() throws Exception {
    var browser = Browser.installed();
    assumeTrue(browser.isPresent(), "chromium is not installed");
    try (var server =
            PagePreview.serve(
                0, PagePreview.views(List.of(Path.of("..", "examples", "recordings", "groups"))));
        var page = OpenPage.open(browser.orElseThrow(), "about:blank", profile)) {
      var origin = "http://127.0.0.1:" + server.address().getPort() + "/";
      page.go(origin + "#/job/mixtral-8x7b");
      assertThat(words(page)).contains("Difference");
      page.go(origin + "#/job/pretrain-70b");
      assertThat(words(page))
          .contains("Expected", "Observed", "Where", "Cost", "Environment", "Ranks");
      var told = new TreeSet<String>();
      for (int i = 0; i < 50; i++) {
        page.press("Tab");
        told.add(page.value("document.getElementById('tip').textContent"));
      }
      assertThat(told).contains("What the lines say instead.");
      page.value("document.getElementById('environment').focus()");
      assertThat(page.value("document.getElementById('tip').textContent"))
          .startsWith("Variables of NCCL");

      page.go(origin + "#/campaign");
      assertThat(words(page)).contains("Goodput", "productive training", "straggler", "Machine");
    }
  }

  private static List<String> words(OpenPage page) throws InterruptedException {
    return List.of(
        page.value(
                "[...document.querySelectorAll('main .term')].map((it) => it.textContent).join('|')")
            .split("\\|"));
  }

  @Test
  void leadsFromASuspectNodeToTheProofOfWhatItIsBlamedFor() throws Exception {
    var browser = Browser.installed();
    assumeTrue(browser.isPresent(), "chromium is not installed");
    try (var server = PagePreview.serve(0, PagePreview.views(List.of()));
        var page =
            OpenPage.open(
                browser.orElseThrow(),
                "http://127.0.0.1:" + server.address().getPort() + "/#/nodes",
                profile)) {
      page.await("document.getElementById('suspects') !== null");
      assertThat(page.accessibilityTree())
          .contains("Suspect nodes, most runs first")
          .contains(", the finding in pretrain-70b");

      var reached = new TreeSet<String>();
      for (int i = 0; i < 20 && !reached.contains("blame-east-node-2-training-s"); i++) {
        page.press("Tab");
        reached.add(page.value("document.activeElement.id"));
      }
      assertThat(reached)
          .contains("nav-fleet", "nav-nodes", "node-east-node-2-east/training/pretrain-70b")
          .contains("blame-east-node-2-training-s");

      page.press("Enter");
      page.await("document.activeElement.id === 'finding-s'");
      assertThat(page.value("document.querySelector('#finding-s .proof').open")).isEqualTo("true");
    }
  }
}
