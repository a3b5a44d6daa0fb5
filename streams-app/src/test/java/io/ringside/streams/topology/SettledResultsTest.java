package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.Reading;
import io.ringside.schemas.event.RunSummary.State;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.publish.Samples;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettledResultsTest {
  private static final RunSummary OVER = Samples.run("llama", "0xabc1", 1, State.SUPERSEDED);
  private static final RunSummary MORE_LINES =
      OVER.with(its -> its.reading = new Reading(9_000, 8_000, Map.of("2.28.9 odd line", 30)));

  @Test
  void linesOfLaterRunsDoNotChangeARunThatIsOver() {
    assertThat(SettledResults.settled(OVER, MORE_LINES, false)).isSameAs(OVER);
    assertThat(SettledResults.settled(OVER.in(State.RUNNING), MORE_LINES.in(State.RUNNING), false))
        .isEqualTo(MORE_LINES.in(State.RUNNING));
  }

  @Test
  void whatIsReadWhenItIsJudgedForTheLastTimeDoes() {
    assertThat(SettledResults.settled(OVER, MORE_LINES, true)).isEqualTo(MORE_LINES);
  }

  @Test
  void whatIsItsOwnDoes() {
    var wider = MORE_LINES.with(its -> its.nranks = 8);

    assertThat(SettledResults.settled(OVER, wider, false)).isEqualTo(wider);
  }

  @Test
  void whatDiedIsNotJustSuperseded() {
    assertThat(SettledResults.settled(OVER.in(State.FAILED), MORE_LINES, false))
        .isEqualTo(OVER.in(State.FAILED));
  }

  @Test
  void unknownLinesOfLaterRunsAreNotCountedAgainstIt() {
    var known = finding("Ringside does not know 3 of 100 NCCL lines", Finding.State.CLEARED);
    var later = finding("Ringside does not know 9 of 300 NCCL lines", Finding.State.CLEARED);

    assertThat(SettledResults.settled(known, later)).isEqualTo(known);
    assertThat(SettledResults.settled(finding(known.summary(), Finding.State.ACTIVE), later))
        .isEqualTo(later);
    assertThat(SettledResults.settled(null, later)).isEqualTo(later);
  }

  @Test
  void aHangStaysIfItsRunDidNotComeBackFromIt() {
    var hang = finding(FindingKind.HANG, "the job hangs", Finding.State.ACTIVE);

    assertThat(SettledResults.unclaimed(hang, OVER, false, false))
        .extracting(Finding::state)
        .isEqualTo(Finding.State.CLEARED);
    assertThat(SettledResults.unclaimed(hang, OVER, true, false)).isNull();
    assertThat(SettledResults.unclaimed(hang, null, false, false)).isNull();
  }

  @Test
  void whatForgottenLinesProveStaysUntilTheRunIsOver() {
    var fallback = finding(FindingKind.EFA_FALLBACK, "over TCP", Finding.State.ACTIVE);

    assertThat(SettledResults.unclaimed(fallback, null, false, true)).isEqualTo(fallback);
    assertThat(SettledResults.unclaimed(fallback, OVER, false, true))
        .extracting(Finding::state, Finding::until)
        .containsExactly(Finding.State.CLEARED, OVER.until());
    assertThat(SettledResults.unclaimed(fallback, null, false, false)).isNull();
    assertThat(SettledResults.unclaimed(fallback, OVER, false, false)).isNull();
  }

  @Test
  void whatLastsIsSeenAgainOrIsOver() {
    var late = finding(FindingKind.STRAGGLER, "rank 2 is late", Finding.State.ACTIVE);

    assertThat(SettledResults.unclaimed(late, null, false, true)).isNull();
  }

  private static Finding finding(String summary, Finding.State state) {
    return finding(FindingKind.UNPARSED_LINES, summary, state);
  }

  private static Finding finding(FindingKind kind, String summary, Finding.State state) {
    return Finding.of(
        "llama:0xabc1:" + kind,
        kind,
        Severity.INFO,
        its -> {
          its.state = state;
          its.since = OVER.since();
          its.until = OVER.until();
          its.summary = summary;
          its.evidence = List.of(new Evidence(null, "n", "p", "f", 0, "a line"));
        });
  }
}
