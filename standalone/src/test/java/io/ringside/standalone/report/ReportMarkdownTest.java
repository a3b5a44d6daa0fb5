package io.ringside.standalone.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportMarkdownTest {
  @Test
  void tellsTheFindingAndFoldsItsProof() {
    var text =
        ReportMarkdown.of(
            Fabricated.account(List.of(Fabricated.fallbackRun()), List.of(Fabricated.fallback())));

    assertThat(text)
        .startsWith("### ✖ llama-3-8b\n\n**EFA was asked for but failed to start;")
        .contains("\n#### ✖ `efa-fallback` critical\n")
        .contains("\n- observed: Socket over eth0\n")
        .contains("\n- runbook: `docs/runbooks/RingsideEfaFallback.md`\n")
        .contains(
            "<details><summary>proof</summary>\n\n```text\nseed/llama-3-8b-node-0-0.log:21  llama");
  }

  @Test
  void tellsWhatEnded() {
    var ended = Fabricated.fallback().with(its -> its.state = Finding.State.CLEARED);

    assertThat(ReportMarkdown.of(Fabricated.account(List.of(), List.of(ended))))
        .contains("\n#### ✖ `efa-fallback` critical, ended\n");
  }

  /// Nobody is called, nothing is linked or drawn, and no fence is left, by what a log says.
  @Test
  void escapesWhatALogSays() {
    var evil = "@admin #7 <img src=x> ![x](http://y) `` | *b* ```` \n# head\n````\nout";
    var text = ReportMarkdown.of(Fabricated.account(List.of(), List.of(Fabricated.hostile(evil))));

    var outside = text.replaceAll("(?s)`{5}text.*?\n`{5}\n", "");
    assertThat(outside)
        .isNotEqualTo(text)
        .doesNotContain("@admin", " #7", "<img", "![x]", "\n# head", "*b*");
    assertThat(text).contains("`````text\n0:1,2 %.log  @admin #7");
  }

  @Test
  void showsCommandsThatCanBeCopied() {
    var finding =
        Fabricated.fallback().with(its -> its.tryNow = List.of("fi_info -p efa", "echo `id`"));

    assertThat(ReportMarkdown.of(Fabricated.account(List.of(), List.of(finding))))
        .contains("\n- try: `fi_info -p efa`\n- try: `` echo `id` ``\n");
  }

  @Test
  void saysThatNothingWasRecognised() {
    assertThat(ReportMarkdown.of(Fabricated.account(List.of(), List.of())))
        .startsWith("### ? No training run recognised.");
  }
}
