package io.ringside.standalone.news;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

class FindingNewsTest {
  private final FindingNews news = new FindingNews();
  private final Finding warning = finding(Severity.WARNING);

  @Test
  void tellsAFindingOnceUntilItChanges() {
    assertThat(news.take(warning).orElseThrow().kind()).isEqualTo(FindingNews.Item.Kind.RAISED);
    assertThat(news.take(warning)).isEmpty();

    assertThat(said(warning.atSeverity(Severity.CRITICAL)))
        .isEqualTo("✖ now critical: Rank 2 is late.");
    var caused = warning.atSeverity(Severity.CRITICAL).with(its -> its.cause = "a slow disk");
    assertThat(said(caused)).isEqualTo("the cause is known now: a slow disk");
    var over = caused.with(its -> its.state = Finding.State.CLEARED);
    assertThat(said(over)).isEqualTo("✓ ended: Rank 2 is late.");
    assertThat(news.take(over)).isEmpty();
  }

  @Test
  void raisesWhatWasANote() {
    assertThat(said(finding(Severity.INFO))).isEqualTo("• note: Rank 2 is late.");
    assertThat(news.take(warning).orElseThrow().kind()).isEqualTo(FindingNews.Item.Kind.RAISED);
  }

  @Test
  void saysNothingOfWhatWasKnown() {
    news.know(warning);
    assertThat(news.take(warning)).isEmpty();
  }

  @Test
  void tellsWhatWasTakenBackOnce() {
    news.know(warning);
    assertThat(news.withdrawn(List.of(warning))).isEmpty();
    assertThat(news.withdrawn(List.of()).getFirst().words())
        .isEqualTo("taken back: Rank 2 is late.");
    assertThat(news.withdrawn(List.of())).isEmpty();
  }

  private String said(Finding finding) {
    return news.take(finding).orElseThrow().words();
  }

  private static Finding finding(Severity severity) {
    return Finding.of(
        "id",
        FindingKind.STRAGGLER,
        severity,
        its -> {
          its.summary = "Rank 2 is late.";
          its.evidence = List.of(new Evidence(null, "node", "pod", "0.log", 0, "a line"));
        });
  }
}
