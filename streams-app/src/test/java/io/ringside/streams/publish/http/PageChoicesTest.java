package io.ringside.streams.publish.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringside.schemas.serde.EventJson;
import io.ringside.streams.examine.DurationWords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// What a reader chooses on the page, and what the page then shows and keeps in its address. Needs
/// Chromium.
class PageChoicesTest {
  @TempDir(cleanup = CleanupMode.NEVER)
  private static Path profile;

  @TempDir private Path folder;

  private static WebServer server;
  private static OpenPage page;

  @BeforeAll
  static void open() throws Exception {
    var browser = Browser.installed();
    assumeTrue(browser.isPresent(), "chromium is not installed");
    server = PagePreview.serve(0, PagePreview.views(List.of()));
    page = OpenPage.open(browser.orElseThrow(), "about:blank", profile);
  }

  @AfterAll
  static void close() {
    if (page != null) {
      page.close();
    }
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void width() throws Exception {
    page.look(1280, "light");
  }

  @Test
  void keepsFiltersAndSearchInTheAddress() throws Exception {
    go("#/");
    click("tile-warning");
    type("pretrain");
    assertThat(page.value("location.hash")).isEqualTo("#/?verdict=warning&search=pretrain");
    assertThat(page.value("document.activeElement.id")).isEqualTo("search");
    assertThat(rows()).isEqualTo("pretrain-70b");

    go("#/?verdict=warning&search=pretrain");
    assertThat(rows()).isEqualTo("pretrain-70b");
    assertThat(page.value("document.getElementById('search').value")).isEqualTo("pretrain");

    go("#/nodes");
    type("nobody");
    assertThat(page.value("location.hash")).isEqualTo("#/nodes?search=nobody");
    assertThat(page.value("document.querySelector('main').textContent")).contains("None of ");
  }

  @Test
  void zoomsIntoTheTimeThatWasDraggedOver() throws Exception {
    go("#/job/pretrain-70b");
    page.await("document.getElementById('waits-map').width > 0");
    page.drag("#waits-map", 400, 600, 60);
    page.await("location.hash.includes('from=')");
    assertThat(page.value("location.hash"))
        .matches("#/job/pretrain-70b\\?from=2026-11-20T10%3A0\\d.*&to=2026-11-20T10%3A.*");
    assertThat(moments()).isBetween(10, 60);

    go("#/job/pretrain-70b?from=2026-11-20T10:05:00Z&to=2026-11-20T10:07:00Z");
    assertThat(moments()).isEqualTo(12);
    click("zoom-out");
    assertThat(page.value("location.hash")).isEqualTo("#/job/pretrain-70b");
    assertThat(moments()).isEqualTo(90);
  }

  @Test
  void drawsNothingAnewUnderADrag() throws Exception {
    go("#/job/pretrain-70b");
    page.await("document.getElementById('waits-map').width > 0");
    var dragging = "import('/grid.js').then((grid) => grid.dragging())";
    assertThat(page.value(dragging)).isEqualTo("false");
    page.press("#waits-map", 400, 60);
    assertThat(page.value(dragging)).isEqualTo("true");
    page.release("#waits-map", 400, 60);
    assertThat(page.value(dragging)).isEqualTo("false");
  }

  @Test
  void zoomsWithTheKeyboard() throws Exception {
    go("#/job/pretrain-70b");
    page.await("document.getElementById('waits-map').width > 0");
    var all =
        "document.getElementById('waits-map').getAttribute('aria-label').includes('over 90 moments')";
    page.press("+", "waits-map", all + " === false");
    page.press("-", "waits-map", all);
    assertThat(moments()).isEqualTo(90);
  }

  @Test
  void isAsWideAsItsCardAtEveryWidth() throws Exception {
    for (int width : new int[] {390, 768, 1280}) {
      page.look(width, "light");
      go("#/job/pretrain-70b");
      page.await("document.getElementById('waits-map').width > 0");
      // drawn anew once the page has its new width
      page.await(
          "document.getElementById('waits-map').getBoundingClientRect().width"
              + " / document.getElementById('waits-map').parentElement.clientWidth > 0.98");
    }
  }

  @Test
  void putsRanksInOrderAndOpensANode() throws Exception {
    go("#/job/pretrain-70b");
    assertThat(firstRank()).isEqualTo("517");
    click("order-number");
    assertThat(page.value("location.hash")).isEqualTo("#/job/pretrain-70b?order=number");
    assertThat(firstRank()).isNotEqualTo("517");

    go("#/job/pretrain-70b");
    page.press(
        "ArrowDown",
        "nodes-map",
        "document.getElementById('nodes-map-readout').textContent.startsWith('node-')");
    assertThat(page.value("document.getElementById('nodes-map-readout').textContent"))
        .isEqualTo("node-64: ranks 512–519, the others waited for rank 517 5 min 38 s");
    page.press("Enter");
    assertThat(page.value("location.hash")).isEqualTo("#/job/pretrain-70b?node=node-64");
    assertThat(page.value("document.querySelectorAll('.waits tbody tr').length")).isEqualTo("8");
  }

  /// Of many ranks the map over time has a row a node, and the ranks of the one that was opened.
  @Test
  void opensANodeOverTime() throws Exception {
    go("#/job/pretrain-70b");
    page.await("document.getElementById('waits-map').width > 0");
    page.press(
        "ArrowDown",
        "waits-map",
        "document.getElementById('waits-map-readout').textContent.startsWith('node-64')");
    for (int i = 0; i < 40; i++) {
      page.press("ArrowRight");
    }
    assertThat(page.value("document.getElementById('waits-map-readout').textContent"))
        .isEqualTo("node-64, 10:06:40 UTC: others waited for rank 517 6.78 s");

    page.press("#waits-map", 300, 26);
    page.release("#waits-map", 300, 26);
    page.await("location.hash.includes('node=')");
    assertThat(page.value("location.hash")).isEqualTo("#/job/pretrain-70b?node=node-64");
    assertThat(page.value("document.getElementById('waits-map').getAttribute('aria-label')"))
        .startsWith("Waits of 8 ranks over 90 moments. Rank 517");
    assertThat(page.value("document.getElementById('waits-time').textContent"))
        .endsWith("the ranks of node-64");

    page.drag("#waits-map", 400, 600, 60);
    page.await("location.hash.includes('from=')");
    assertThat(page.value("location.hash")).contains("node=node-64");
    click("all-nodes-over-time");
    assertThat(page.value("document.getElementById('waits-map').getAttribute('aria-label')"))
        .startsWith("Waits of 31 nodes");
  }

  @Test
  void showsTheStartsOfAJobSideBySide() throws Exception {
    go("#/job/finetune-8b");
    assertThat(page.value("document.querySelectorAll('.history li').length")).isEqualTo("6");
    assertThat(start(8))
        .contains("Start 8", "critical, ended", "1312 GPU-s lost", "Network Libfabric → Socket");
    assertThat(start(7)).contains("unknown, ended");
    click("all-runs");
    assertThat(page.value("document.querySelectorAll('.history li').length")).isEqualTo("9");
    assertThat(start(5)).contains("NCCL 2.27.3 → 2.28.9");
    click("run-" + Starts.run(7));
    assertThat(page.value("location.hash")).isEqualTo("#/job/finetune-8b?run=0xf1e7&starts=all");
    assertThat(page.value("document.querySelector('main').textContent"))
        .contains("Too little was told for a verdict: this is not known to be healthy.")
        .contains("no COLL lines");
  }

  @Test
  void saysWhatToDoAndCopiesIt() throws Exception {
    go("#/job/finetune-8b?run=0xf1e8");
    assertThat(page.value("document.getElementById('runbook-slow').href"))
        .isEqualTo("https://wiki.example.org/runbooks/RingsideEfaFallback.md");
    page.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
    click("try-slow-0");
    assertThat(page.value("window.copied")).isEqualTo("fi_info -p efa");
    click("copy-slow");
    assertThat(page.value("window.copied"))
        .contains("#### ✖ `efa-fallback` critical, ended")
        .contains("- try: `fi_info -p efa`\n- try: `` echo `hostname` ``")
        .contains("- runbook: https://wiki.example.org/runbooks/RingsideEfaFallback.md")
        .contains("```text\npod-0:12:34 [0] NCCL INFO <script>alert('x')</script>");
    click("copy-job");
    assertThat(page.value("window.copied"))
        .startsWith("### ✓ finetune-8b")
        .contains("efa-fallback", "finetune-8b?run=0xf1e8");
  }

  @Test
  void saysHowLongNobodyHasWritten() throws Exception {
    go("#/");
    assertThat(
            page.value(
                "import('/dom.js').then((dom) => dom.standing({ state: 'silent', until: new Date(Date.now() - 360_000).toISOString() }))"))
        .isEqualTo("silent for 6 min");
    assertThat(
            page.value(
                "import('/dom.js').then((dom) => dom.standing({ state: 'running', until: null }))"))
        .isEqualTo("running");
  }

  @Test
  void tellsTimesWithDateAndZone() throws Exception {
    go("#/job/finetune-8b?run=0xf1e8");
    assertThat(page.value("document.querySelector('.finding .span').textContent"))
        .isEqualTo("2026-11-20 10:00:00 to 10:01:00 UTC (60 s)");
    assertThat(page.value("document.querySelector('.line small').textContent"))
        .isEqualTo("2026-11-20 10:00:00 UTC · at byte 4,711 of the file");
  }

  @Test
  void tellsWhoWroteALineOfProofAndHowLateItIs() throws Exception {
    go("#/");
    assertThat(
            page.value(
                """
                import('/told.js').then((told) => told.noted(
                  { line: 1598, rank: 6, host: 'worker-6', pod: 'pod-1', node: 'n', after: { rank: 2, seconds: 0.12 } }))"""))
        .isEqualTo("line 1,598 · rank 6 · worker-6 · +120 ms after rank 2");
    assertThat(
            page.value(
                "import('/told.js').then((told) => told.noted({ offset: 7, host: 'pod-1', pod: 'pod-1' }))"))
        .isEqualTo("");
  }

  /// What is copied from the page finds the line by its byte, whatever its folder is called; of a
  /// sample, or where bytes are those of a packed file, nothing does.
  @Test
  void copiesACommandThatShowsTheProofOnItsNode() throws Exception {
    var log = Files.createDirectories(folder.resolve("it's <pods>")).resolve("0.log");
    Files.writeString(log, "one\n\u2026two\nthree\n");
    go("#/");
    var line = "{ node: 'n', file: %s, offset: %d }";
    var file = EventJson.MAPPER.writeValueAsString(log.toString());
    assertThat(shown(again(line.formatted(file, 4)))).isEqualTo("\u2026two\n");
    assertThat(shown(again(line.formatted(file, 4) + ", " + line.formatted(file, 11))))
        .isEqualTo("\u2026two\nthree\n");
    assertThat(again(line.formatted("'/var/log/pods/a_b_c/d/0.log'", 0)))
        .isEqualTo("tail -c +1 /var/log/pods/a_b_c/d/0.log | head -n 1");
    for (var none :
        List.of("{ node: 'n', file: 'nvidia-smi', offset: -1 }", "{ file: '/a', offset: 1 }")) {
      assertThat(again(none)).isEmpty();
    }
    assertThat(again(line.formatted("'/a/0.log.gz'", 4))).isEmpty();

    go("#/job/finetune-8b?run=0xf1e8");
    page.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
    click("again-slow-0");
    assertThat(page.value("window.copied")).startsWith("tail -c +4712 /").endsWith(" | head -n 1");
  }

  private static String again(String lines) throws InterruptedException {
    return page.value("import('/told.js').then((told) => told.again([%s]))".formatted(lines));
  }

  private static String shown(String command) throws IOException {
    var shell = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
    return new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /// Findings say them by `DurationWords`.
  @Test
  void saysDurationsAsFindingsDo() throws Exception {
    go("#/");
    for (double seconds :
        new double[] {
          0, 0.0002, 0.0005, 0.12, 0.9994, 0.9996, 1, 2.443, 2.5, 9.994, 9.996, 15.5, 41, 60, 99.94,
          99.96, 600, 3_599.9, 7_500, 86_390, 90_000, 273_600
        }) {
      assertThat(page.value("import('/dom.js').then((dom) => dom.duration(%s))".formatted(seconds)))
          .isEqualTo(DurationWords.time(seconds));
    }
  }

  @Test
  void explainsAWordWherePointedAt() throws Exception {
    go("#/job/finetune-8b?run=0xf1e8");
    page.point(".finding .term");
    page.await("!document.getElementById('tip').hidden");
    assertThat(page.value("document.getElementById('tip').textContent")).contains("EFA was wanted");
    page.press("Escape");
    assertThat(page.value("document.getElementById('tip').hidden")).isEqualTo("true");
  }

  @Test
  void opensEverythingForThePrinterAndClosesItAgain() throws Exception {
    go("#/job/finetune-8b?run=0xf1e8");
    var closed = "document.querySelectorAll('main details:not([open])').length";
    var before = page.value(closed);
    assertThat(before).isNotEqualTo("0");
    page.run("window.dispatchEvent(new Event('beforeprint'))");
    assertThat(page.value(closed)).isEqualTo("0");
    page.run("window.dispatchEvent(new Event('afterprint'))");
    assertThat(page.value(closed)).isEqualTo(before);
  }

  private static void go(String hash) throws InterruptedException {
    page.go("http://127.0.0.1:" + server.address().getPort() + "/" + hash);
    page.await("document.querySelector('main h1') !== null");
  }

  private static void click(String id) throws InterruptedException {
    page.run("document.getElementById('" + id + "').click()");
  }

  private static void type(String text) throws InterruptedException {
    page.run(
        "{ const box = document.getElementById('search'); box.focus(); box.value = '%s'; box.dispatchEvent(new Event('input')); }"
            .formatted(text));
  }

  private static String rows() throws InterruptedException {
    return page.value(
        "[...document.querySelectorAll('.jobs tbody th a')].map((it) => it.textContent).join(' ')");
  }

  private static String firstRank() throws InterruptedException {
    return page.value("document.querySelector('.waits tbody th').textContent");
  }

  private static String start(int number) throws InterruptedException {
    return page.value("document.getElementById('run-" + Starts.run(number) + "').textContent");
  }

  /// How many moments the heat map shows.
  private static int moments() throws InterruptedException {
    return Integer.parseInt(
        page.value(
            "document.getElementById('waits-map').getAttribute('aria-label').match(/over (\\d+) moments/)[1]"));
  }
}
