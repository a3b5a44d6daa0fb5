package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JudgingBackoffTest {
  private static final long NOW = 1_000_000;

  private final JudgingBackoff rest = new JudgingBackoff();
  private long first = rest.round(NOW);

  @Test
  void aShortJudgementRestsTenTimesAsLongAsItTook() {
    took(20, false);

    waitsUntil(NOW + 220);
  }

  @Test
  void aLongerOneRestsHalfASecond() {
    took(200, false);

    waitsUntil(NOW + 700);
  }

  @Test
  void theLongestRestsTwiceAsLongAsItTook() {
    took(4_000, false);

    waitsUntil(NOW + 12_000);
  }

  @Test
  void behindTheLinesItRestsLonger() {
    took(100, true);

    waitsUntil(NOW + 3_100);
  }

  @Test
  void butNoLongerThanFiveSeconds() {
    took(1_000, true);

    waitsUntil(NOW + 6_000);
  }

  @Test
  void afterAllPartitionsOfTheThreadItRestsForAllOfThem() {
    took(20, false);
    assertThat(rest.round(NOW + 20)).as("the next one's turn in the same round").isEqualTo(first);
    took(10, true);
    took(20, false);

    waitsUntil(NOW + 50 + 30 * 50);
  }

  @Test
  void aRoundKnowsNothingOfTheOneBefore() {
    took(1_000, true);
    first = rest.round(NOW + 6_000);
    took(10, false);

    waitsUntil(NOW + 6_110);
  }

  @Test
  void aClockThatIsSetBackIsNotWaitedFor() {
    took(20, false);

    assertThat(rest.round(NOW - 3_600_000)).isGreaterThan(first);
  }

  @Test
  void eachThreadHasItsOwn() throws InterruptedException {
    var here = JudgingBackoff.ofThisThread();
    var elsewhere = new JudgingBackoff[1];
    var other = Thread.ofPlatform().start(() -> elsewhere[0] = JudgingBackoff.ofThisThread());
    other.join();

    assertThat(JudgingBackoff.ofThisThread()).isSameAs(here).isNotSameAs(elsewhere[0]);
  }

  private void took(long millis, boolean behind) {
    rest.took(millis * 1_000_000, behind);
  }

  private void waitsUntil(long millis) {
    assertThat(rest.round(millis - 1)).isEqualTo(first);
    assertThat(rest.round(millis)).isGreaterThan(first);
  }
}
