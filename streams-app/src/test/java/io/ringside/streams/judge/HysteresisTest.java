package io.ringside.streams.judge;

import static io.ringside.schemas.event.FindingKind.GPU_THROTTLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.judge.Hysteresis.Shown;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HysteresisTest {
  private static final Instant START = Findings.NOW;
  private static final Duration HOLD = Duration.ofSeconds(30);
  private static final Finding WARNS = Findings.of(GPU_THROTTLED, Severity.WARNING, 0);
  private static final Finding CRITICAL = Findings.of(GPU_THROTTLED, Severity.CRITICAL, 0);
  private static final Finding OVER =
      Findings.of(GPU_THROTTLED, Severity.WARNING, 0, START, START.plusSeconds(1));

  @Test
  void raisesAndWorsensAtOnce() {
    assertThat(states(WARNS, CRITICAL)).containsExactly("warning", "critical");
  }

  @Test
  void doesNotFlapWithAConditionThatComesAndGoes() {
    var judgements = new ArrayList<@Nullable Finding>();
    for (int second = 0; second < 600; second++) {
      judgements.add(second % 20 < 3 ? WARNS : second % 2 == 0 ? OVER : null);
    }

    assertThat(states(judgements)).containsExactly("warning");
  }

  @Test
  void clearsWhenItHasBeenOverForAWhile() {
    var judgements = new ArrayList<@Nullable Finding>(List.of(WARNS));
    for (int second = 0; second < 29; second++) {
      judgements.add(OVER);
    }
    assertThat(states(judgements)).containsExactly("warning");
    judgements.add(OVER);
    judgements.add(OVER);
    assertThat(states(judgements)).containsExactly("warning", "over");
    judgements.add(WARNS);
    assertThat(states(judgements)).containsExactly("warning", "over", "warning");
  }

  @Test
  void takesBackWhatIsNotClaimedForAWhile() {
    var judgements = new ArrayList<@Nullable Finding>(List.of(WARNS));
    for (int second = 0; second < 31; second++) {
      judgements.add(null);
    }
    assertThat(states(judgements)).containsExactly("warning", "nothing");
  }

  @Test
  void keepsTheWorseSeverityForAWhileButTellsTheNews() {
    var held =
        Hysteresis.next(
            new Shown(CRITICAL, null), WARNS.following("other"), START.plusSeconds(1), HOLD);

    assertThat(held.finding()).isEqualTo(CRITICAL.following("other"));
    assertThat(held.pending()).isTrue();
    assertThat(Hysteresis.next(held, WARNS, START.plusSeconds(31), HOLD).finding())
        .isEqualTo(WARNS);
  }

  @Test
  void waitsForNothingWhenNoOtherJudgementWillCome() {
    assertThat(Hysteresis.next(new Shown(WARNS, null), OVER, START, Duration.ZERO).finding())
        .isEqualTo(OVER);
  }

  @Test
  void keepsTheMomentOfTheFirstDetection() {
    var later = WARNS.detectedAt(START.plusSeconds(60));

    assertThat(Hysteresis.next(new Shown(WARNS, null), later, START.plusSeconds(60), HOLD))
        .isEqualTo(new Shown(WARNS, null));
  }

  private static List<String> states(@Nullable Finding... judgements) {
    return states(java.util.Arrays.asList(judgements));
  }

  /// What is shown, each change once, with a judgement a second.
  private static List<String> states(List<@Nullable Finding> judgements) {
    var shown = Shown.NOTHING;
    var states = new ArrayList<String>();
    for (int second = 0; second < judgements.size(); second++) {
      shown = Hysteresis.next(shown, judgements.get(second), START.plusSeconds(second), HOLD);
      var finding = shown.finding();
      var state =
          finding == null
              ? "nothing"
              : finding.state() == Finding.State.CLEARED ? "over" : finding.severity().label();
      if (states.isEmpty() || !states.getLast().equals(state)) {
        states.add(state);
      }
    }
    return states;
  }
}
