package io.ringside.lab.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.lab.evaluate.Trial.Hit;
import io.ringside.lab.figures.TargetCheck;
import io.ringside.lab.simulate.Truth.Expected;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConclusionTest {
  private static final Finding FINDING =
      Finding.of(
          "id",
          FindingKind.HANG,
          Severity.CRITICAL,
          its -> its.evidence = List.of(new Evidence(null, "", "", "0.log", 0, "a line")));

  private static final Hit FOUND = hit(FINDING);
  private static final Hit MISSED = hit(null);

  private final Scorecard card = new Scorecard();

  @Test
  void saysThatFewJobsProveNothing() {
    add(1.3, 0, 3, 0);

    assertThat(Conclusion.of(card).reached()).isEqualTo(TargetCheck.OPEN);
    assertThat(Conclusion.of(card).sentences())
        .containsExactly(
            "Not proven: no aim is missed, but so few jobs do not show that all are reached.",
            "  Not proven: 0 false alarms in 1.3 GPU-days of healthy jobs prove nothing yet: 0.0 to 1,410.8 in 500 GPU-days are likely"
                + " (aim: at most 0.1); without any more it takes 18,340 GPU-days",
            "  Not proven: 3 of 3 were found: between 0.438 and 1.000 of all are likely (aim: at least 0.97)");
  }

  @Test
  void isGoodWhereManyJobsShowIt() {
    add(20_000, 0, 999, 1);

    assertThat(Conclusion.of(card).reached()).isEqualTo(TargetCheck.YES);
    assertThat(Conclusion.of(card).sentences().getFirst()).isEqualTo("Good: every aim is reached.");
  }

  @Test
  void isNotGoodWithFalseAlarmsOrWithWhatIsMissed() {
    add(10, 5, 999, 1);
    assertThat(Conclusion.of(card).sentences())
        .startsWith("Not good: an aim is missed.")
        .anyMatch(line -> line.startsWith("  Not good: 5 false alarms in 10.0 GPU-days"));

    var missing = new Scorecard();
    missing.add(
        new Trial("j", Collections.nCopies(50, MISSED), List.of(), Set.of(), 0, Duration.ZERO, ""));
    assertThat(Conclusion.of(missing).sentences())
        .contains(
            "  Not proven: no healthy job was among them, so nothing is known of false alarms")
        .anyMatch(line -> line.startsWith("  Not good: 0 of 50 were found"));
  }

  @Test
  void isNotGoodWhereTheJudgeGaveUp() {
    card.add(new Trial("j", List.of(), List.of(), Set.of(), 0, Duration.ZERO, "it threw"));

    assertThat(Conclusion.of(card).sentences())
        .startsWith("Not good: an aim is missed.")
        .contains(
            "  Not proven: nothing was to be found, so nothing is known of what is missed",
            "  Not good: the judge gave up on 1 job");
  }

  private void add(double days, int alarms, int found, int missed) {
    card.add(
        new Trial(
            "healthy",
            List.of(),
            Collections.nCopies(alarms, FINDING),
            Set.of(),
            days,
            Duration.ZERO,
            ""));
    card.add(
        new Trial(
            "a", Collections.nCopies(found, FOUND), List.of(), Set.of(), 0, Duration.ZERO, ""));
    card.add(
        new Trial(
            "b", Collections.nCopies(missed, MISSED), List.of(), Set.of(), 0, Duration.ZERO, ""));
  }

  private static Hit hit(@Nullable Finding finding) {
    return new Hit(
        new Expected(FindingKind.HANG, Severity.CRITICAL, Set.of(), "", null, null, null, ""),
        finding,
        null,
        "");
  }
}
