package io.ringside.streams.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.LogChunk;
import org.junit.jupiter.api.Test;

class FileClockTest {
  private static final long SECOND = 1_000_000_000L;

  private final FileClock times = new FileClock();
  private int line;

  @Test
  void oneMomentAloneIsNotBelieved() {
    tell(100 * SECOND, 100 * SECOND + 5);

    assertThat(times.believed()).isEqualTo(LogChunk.NO_TIME);
  }

  @Test
  void linesThatGoOnAreBelieved() {
    for (int i = 0; i <= 50; i++) {
      tell(i * SECOND / 10);
    }

    assertThat(times.believed()).isBetween(3 * SECOND, 5 * SECOND);
  }

  @Test
  void aMomentThatIsAheadHoldsNothingUp() {
    tell(10 * SECOND, 11 * SECOND, 13 * SECOND, 313 * SECOND, 313 * SECOND + 9);
    assertThat(times.believed()).isEqualTo(13 * SECOND);

    tell(15 * SECOND);
    assertThat(times.believed()).isEqualTo(15 * SECOND);
  }

  /// Each of the two is a moment of its own, and neither leads to the other.
  @Test
  void twoMomentsThatAreAheadHoldNothingUpEither() {
    tell(10 * SECOND, 11 * SECOND, 13 * SECOND, 313 * SECOND);
    for (int i = 14; i < 60; i++) {
      tell(i * SECOND);
    }
    assertThat(times.reached(313 * SECOND)).as("of a chunk that holds all").isLessThan(60 * SECOND);
    tell(360 * SECOND, 61 * SECOND);

    assertThat(times.believed()).isEqualTo(61 * SECOND);
    assertThat(times.reached(360 * SECOND)).isEqualTo(61 * SECOND);
  }

  @Test
  void severalTimesOfOneLineAreOne() {
    times.advance(1, 10 * SECOND);
    times.advance(1, 20 * SECOND);
    times.settle();

    assertThat(times.believed()).isEqualTo(LogChunk.NO_TIME);
  }

  private void tell(long... nanos) {
    for (long at : nanos) {
      times.advance(line++, at);
    }
    times.settle();
  }
}
