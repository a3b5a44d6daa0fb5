package io.ringside.streams.publish.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.publish.FixedViews;
import io.ringside.streams.publish.JobViews;
import io.ringside.streams.publish.ResultsSnapshot;
import io.ringside.streams.publish.Samples;
import io.ringside.streams.publish.http.Browser.Seen;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The page as a browser shows it. Needs Chromium (`apt-get install -y chromium`).
class PageBrowserTest {
  @Test
  void showsEveryJobWithItsVerdict() throws Exception {
    var seen = open("/", PagePreview.views(List.of()));

    assertThat(seen.dom())
        .contains("<title>Ringside</title>")
        .contains("mixtral-8x7b")
        .contains("pretrain-70b")
        .contains("aria-pressed=\"false\"");
    assertThat(seen.console()).isEmpty();
  }

  @Test
  void showsAJobsFindingsWithProofChecklistTransportsAndWaits() throws Exception {
    var seen = open("/#/job/pretrain-70b", PagePreview.views(List.of()));

    assertThat(seen.dom())
        .contains("<title>pretrain-70b · Ringside</title>")
        .contains("Rank 2 keeps the others waiting")
        .contains("Proof: 1 line")
        .contains("plugin loaded")
        .contains("NET/Libfabric/GDRDMA")
        .contains("5 min 38 s lost")
        .contains("pretrain-70b-worker-64");
    assertThat(seen.console()).isEmpty();
  }

  @Test
  void tellsInWordsWhatItDraws() throws Exception {
    var seen = open("/#/job/pretrain-70b", PagePreview.views(List.of()));

    assertThat(seen.dom())
        .contains("128 by 128 nodes. NET/Socket: 7 pairs, NET/Libfabric/GDRDMA: 377 pairs")
        .contains("all with node ip-10-0-5-41")
        .contains("Waits of 31 nodes over 90 moments. Rank 517 kept the others waiting the longest")
        .contains("Time of a step from 10:00:00 to 10:14:50 UTC: first 4.1 s, last 4.1 s.")
        .containsPattern("<canvas class=\"grid\" id=\"matrix\" role=\"img\" tabindex=\"0\"");
    assertThat(seen.console()).isEmpty();
  }

  @Test
  void showsWhatChangedSinceTheStartBefore() throws Exception {
    var seen = open("/#/job/mixtral-8x7b", PagePreview.views(List.of()));

    assertThat(seen.dom())
        .contains("start 2 against")
        .contains("Same versions, transports, nodes and environment.")
        .containsPattern("Start 1</strong>.*<small class=\"death\">")
        .contains("1 finding about other runs of this job.");
  }

  @Test
  void showsSuspectNodesWithTheJobsThatBlameThemAndLinksToTheFindings() throws Exception {
    var seen = open("/", PagePreview.views(List.of()));

    assertThat(seen.dom())
        .contains("Suspect nodes")
        .contains("<span>node-2</span>")
        .containsPattern("data-label=\"runs\">3<small>of 3 jobs</small>")
        .contains("<code>0000:0b:00.0</code><small> 3 runs</small>")
        .contains("href=\"#/job/pretrain-70b?cluster=east&amp;namespace=training\"")
        .contains("href=\"#/job/pretrain-70b?cluster=east&amp;namespace=training&amp;finding=s\"")
        .contains("href=\"#/nodes\"");
  }

  @Test
  void listsAllBlamedNodesOnAPageOfTheirOwn() throws Exception {
    var seen = open("/#/nodes", PagePreview.views(List.of()));

    assertThat(seen.dom())
        .contains("<title>(1) Nodes · Ringside</title>")
        .contains("id=\"nav-nodes\" href=\"#/nodes\" aria-current=\"page\"")
        .contains("Suspects")
        .doesNotContain("<img")
        .contains("&lt;img src=x onerror=");
    assertThat(seen.console()).isEmpty();
    assertThat(open("/#/nodes", FixedViews.NONE).dom()).contains("No run blames a node.");
  }

  @Test
  void opensAnOlderRunWhenALinkNamesItsFinding() throws Exception {
    var seen = open("/#/job/mixtral-8x7b?cluster=east&finding=f1", PagePreview.views(List.of()));

    assertThat(seen.dom())
        .containsPattern("<article class=\"finding cleared\" id=\"finding-f1\"")
        .containsPattern("<details class=\"proof\" data-key=\"proof-f1\" open")
        .containsPattern("id=\"run-0x5be1a9c20d3f4e77\" type=\"button\" aria-pressed=\"true\"");
    assertThat(seen.console()).isEmpty();
  }

  @Test
  void asksWhichNamespaceWhereAnOldAddressNamesNone() throws Exception {
    var here = Samples.run("llama", "0x1", 1, RunSummary.State.RUNNING);
    var both = new FixedViews(List.of(here, here.within("team-b")), List.of());

    assertThat(open("/", both).dom())
        .contains("href=\"#/job/llama?cluster=east&amp;namespace=training\"")
        .contains("href=\"#/job/llama?cluster=east&amp;namespace=team-b\"");
    assertThat(open("/#/job/llama?cluster=east", both).dom())
        .contains("is in several namespaces, add ?namespace= with one of: team-b, training");
    assertThat(open("/#/job/llama?cluster=east&namespace=team-b", both).dom())
        .contains(">running</span> · team-b · east");
    assertThat(open("/#/job/llama?cluster=east", new FixedViews(List.of(here), List.of())).dom())
        .contains(">running</span> · training · east");
  }

  @Test
  void saysWhatCouldNotBeAsked() throws Exception {
    var some = PagePreview.views(List.of());
    var partial =
        new ResultsSnapshot(
            some.runs(), some.findings(), List.of("10.0.0.7:9095: no answer in time"));

    assertThat(open("/", () -> partial).dom())
        .contains("Not everything could be asked. </strong>10.0.0.7:9095: no answer in time");
  }

  @Test
  void showsHostileNamesAndLinesAsTheTextTheyAre() throws Exception {
    var job = "<img src=x onerror=\"document.title='owned'\">";
    var address = "/#/job/" + URLEncoder.encode(job, StandardCharsets.UTF_8).replace("+", "%20");

    var seen = open(address, PagePreview.views(List.of()));

    assertThat(seen.dom())
        .doesNotContain("<title>owned")
        .doesNotContain("<img")
        .doesNotContain("<b>bold")
        .contains("&lt;img src=x onerror=")
        .contains("&lt;script&gt;document.title='owned'&lt;/script&gt;")
        .contains("⟨U+001B⟩[31mred⟨U+001B⟩[0m ⟨U+0000⟩ nul")
        .contains("⟨U+202E⟩right to left");
    assertThat(seen.console()).isEmpty();
  }

  @Test
  void saysWhyThereIsNothingToSee() throws Exception {
    assertThat(open("/", FixedViews.NONE).dom()).contains("No job has been seen yet.");
    assertThat(open("/#/job/nobody", FixedViews.NONE).dom()).contains("no job is called 'nobody'");
  }

  private Seen open(String path, JobViews views) throws Exception {
    var browser = Browser.installed();
    assumeTrue(browser.isPresent(), "chromium is not installed");
    try (var server = PagePreview.serve(0, views)) {
      return browser.orElseThrow().open("http://127.0.0.1:" + server.address().getPort() + path);
    }
  }
}
