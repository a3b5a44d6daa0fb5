package io.ringside.deploy.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// The demo as a user sees it: on the terminal, in a real Prometheus and in a real browser. The
/// last two need Debian's prometheus and chromium.
@Timeout(300)
class DemoIT {
  @TempDir private static Path folder;

  /// The browser's last process may still write there.
  @TempDir(cleanup = CleanupMode.NEVER)
  private static Path profile;

  private static RunningDemo demo;

  @BeforeAll
  static void start() throws Exception {
    demo = RunningDemo.start(folder);
  }

  @AfterAll
  static void stop() {
    demo.close();
  }

  @Test
  void findsAllIncidentsAndEndsWithThePagesAddress() throws Exception {
    var address = "  http://127.0.0.1:%d/\n".formatted(demo.port());
    demo.await("on the page:\n" + address);

    assertThat(demo.printed())
        .containsSubsequence(
            "1 of 3: EFA falls back",
            "✖ efa-fallback  critical",
            "NET/OFI No",
            "2 of 3: One slow rank",
            "▲ straggler  warning",
            "rank 6",
            "3 of 3: A job that stands still",
            "✖ hang  critical",
            "rank 2",
            "All incidents were found.")
        .endsWith(address);
  }

  @Test
  void raisesItsAlertsInPrometheus() throws Exception {
    InstalledPrograms.program("prometheus");
    try (var prometheus = Prometheus.start(demo.port(), folder)) {
      prometheus.await(
          "ALERTS{alertname=\"RingsideEfaFallback\",alertstate=\"firing\",job=\"llama-3-8b\",urgency=\"page\"}");
      prometheus.await("ALERTS{alertname=\"RingsideStraggler\",job=\"llama-c\"}");
    }
  }

  @Test
  void showsTheIncidentsWithTheirProofOnThePage() throws Exception {
    InstalledPrograms.program("chromium");
    demo.await("All incidents were found.");

    assertThat(page(""))
        .contains("llama-3-8b", "NCCL fell back from EFA to TCP sockets", "llama-c");
    assertThat(page("#/job/llama-3-8b"))
        .contains("Proof: ", "NET/OFI No eligible providers were found", "Using network Socket");
    assertThat(page("#/job/llama-c")).contains("ank 6", "straggler", "Proof: ", "ReduceScatter");
  }

  /// The page's text without tags, for key words of proof are marked.
  private static String page(String hash) throws Exception {
    var html =
        InstalledPrograms.output(
            folder,
            "chromium",
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--virtual-time-budget=4000",
            "--user-data-dir=" + profile,
            "--dump-dom",
            "http://127.0.0.1:%d/%s".formatted(demo.port(), hash));
    return html.replaceAll("<[^>]*>", "");
  }
}
