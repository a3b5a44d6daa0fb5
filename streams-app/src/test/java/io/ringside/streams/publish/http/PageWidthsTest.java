package io.ringside.streams.publish.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// The page on a telephone, on a tablet and on a desk, in both themes: nothing is cut off, and no
/// rule of axe-core is broken. Needs Chromium.
class PageWidthsTest {
  /// Each width once, and each theme: a theme changes colours alone. The rules of axe-core, which
  /// take most of the time, are asked once for each theme.
  private static final List<Look> LOOKS =
      List.of(
          new Look(390, "light", true),
          new Look(768, "dark", true),
          new Look(1280, "light", false));

  private static final List<String> PAGES =
      List.of(
          "#/",
          "#/?verdict=warning&search=70b",
          "#/?search=nothing-is-called-so",
          "#/nodes",
          "#/campaign",
          "#/words",
          "#/job/pretrain-70b",
          "#/job/pretrain-70b?order=number&node=node-64",
          "#/job/finetune-8b?run=0xf1e8",
          "#/job/finetune-8b?run=0xf1e7");

  /// What reaches beyond the window, or has to be scrolled sideways to be seen.
  private static final String CUT =
      """
      [...document.querySelectorAll('main *, header *')]
        .filter((it) => !it.closest('.visually-hidden') && it.getClientRects().length)
        .filter((it) => it.getBoundingClientRect().right > innerWidth + 1
          || (it.scrollWidth > it.clientWidth + 1 && ['auto', 'scroll', 'hidden'].includes(getComputedStyle(it).overflowX)))
        .map((it) => it.outerHTML.slice(0, 120)).join('\\n')""";

  /// How many details were closed, and are open now.
  private static final String OPENED =
      """
      [...document.querySelectorAll('details:not([open])')].map((it) => it.open = true).length""";

  private static final String VIOLATIONS =
      """
      axe.run(document).then((it) => it.violations
        .map((rule) => rule.id + ': ' + rule.nodes.map((node) => node.target.join(' ')).join(', ')).join('\\n'))""";

  private record Look(int width, String theme, boolean ruled) {}

  @TempDir(cleanup = CleanupMode.NEVER)
  private Path profile;

  @Test
  void areReadableAtEveryWidthInBothThemes() throws Exception {
    var browser = Browser.installed();
    assumeTrue(browser.isPresent(), "chromium is not installed");
    var rules = axe();
    try (var server = PagePreview.serve(0, PagePreview.views(List.of()));
        var page = OpenPage.open(browser.orElseThrow(), "about:blank", profile)) {
      var origin = "http://127.0.0.1:" + server.address().getPort() + "/";
      for (var look : LOOKS) {
        page.look(look.width(), look.theme());
        for (var hash : PAGES) {
          page.go(origin + hash);
          page.await("document.querySelector('main h1') !== null");
          var where = "%s at %d pixels, %s".formatted(hash, look.width(), look.theme());
          isWhole(page, where);
          // the rules say nothing of what is closed
          page.value(OPENED);
          if (look.ruled()) {
            page.run(rules);
            isReadable(page, where + ", all details open");
          } else {
            isWhole(page, where + ", all details open");
          }
        }
      }
    }
  }

  /// Nodes are one cell each, and a click lists all ranks of one. What the page asks for is 0.6 MB
  /// of JSON, of which 0.05 MB travel.
  @Test
  void showsTenThousandRanksByNodeAndAllOfTheNodeThatIsOpened() throws Exception {
    var browser = Browser.installed();
    assumeTrue(browser.isPresent(), "chromium is not installed");
    var rules = axe();
    try (var server = PagePreview.serve(0, PagePreview.large(10_000));
        var page = OpenPage.open(browser.orElseThrow(), "about:blank", profile)) {
      var origin = "http://127.0.0.1:" + server.address().getPort() + "/";
      weighs(origin + "api/jobs/pretrain-400b", 900_000, 80_000);
      for (var look : LOOKS) {
        page.look(look.width(), look.theme());
        page.go(origin + "#/job/pretrain-400b");
        page.await(
            "document.getElementById('ranks-of') === null"
                + " && document.getElementById('nodes-map')?.width > 0");
        page.run(rules);
        isReadable(page, "10,000 ranks at %d pixels, %s".formatted(look.width(), look.theme()));
        page.press("#nodes-map", 9, 9);
        page.release("#nodes-map", 9, 9);
        page.await("document.getElementById('ranks-of') !== null");
        assertThat(page.value("document.querySelectorAll('table.waits tbody tr').length"))
            .isEqualTo("8");
        assertThat(page.value("document.getElementById('ranks-of').textContent"))
            .startsWith("Ranks of node-64");
        isReadable(page, "an opened node at %d pixels, %s".formatted(look.width(), look.theme()));
      }
    }
  }

  private static void weighs(String address, int most, int mostPacked) throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      var asked = HttpRequest.newBuilder(URI.create(address));
      var plain = client.send(asked.build(), BodyHandlers.ofByteArray());
      var packed =
          client.send(asked.header("Accept-Encoding", "gzip").build(), BodyHandlers.ofByteArray());
      assertThat(plain.body()).hasSizeBetween(400_000, most);
      assertThat(packed.body()).hasSizeLessThan(mostPacked);
    }
  }

  private static void isWhole(OpenPage page, String where) throws InterruptedException {
    assertThat(page.value("document.documentElement.scrollWidth <= innerWidth"))
        .as(where)
        .isEqualTo("true");
    assertThat(page.value(CUT)).as(where).isEmpty();
  }

  private static void isReadable(OpenPage page, String where) throws InterruptedException {
    isWhole(page, where);
    assertThat(page.value(VIOLATIONS)).as(where).isEmpty();
  }

  /// The rules, from the jar that the build fetched.
  private static String axe() throws IOException {
    var maven = "/META-INF/maven/org.webjars.npm/axe-core/pom.properties";
    var properties = new Properties();
    try (var in = Objects.requireNonNull(PageWidthsTest.class.getResourceAsStream(maven))) {
      properties.load(in);
    }
    var script =
        "/META-INF/resources/webjars/axe-core/" + properties.getProperty("version") + "/axe.min.js";
    try (var in = Objects.requireNonNull(PageWidthsTest.class.getResourceAsStream(script))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
