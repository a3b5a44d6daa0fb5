package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TightRoundsTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final int CLOCKS = 12;

  private final TightRounds rounds = new TightRounds();

  /// Where each program queued its first calls when its own start was over, an estimate is off by
  /// seconds.
  @Test
  void keepAnEstimateNearToWhatClocksShowWhereAllMeet() {
    meet(10, -5_000 * MILLI);
    meet(20, -9 * MILLI);
    meet(30, -800 * MILLI);
    meet(40, -9 * MILLI);
    meet(50, -9 * MILLI);

    assertThat(rounds.bound(3, -1_448 * MILLI)).isBetween(-35 * MILLI, -9 * MILLI);
    assertThat(rounds.bound(3, -12 * MILLI)).isEqualTo(-12 * MILLI);
  }

  @Test
  void sayNothingBeforeThereAreThree() {
    meet(20, -9 * MILLI);
    meet(30, -9 * MILLI);

    assertThat(rounds.bound(3, -1_448 * MILLI)).isEqualTo(-1_448 * MILLI);
  }

  @Test
  void takeCallsOfOneMomentForOne() {
    for (int call = 0; call < 6; call++) {
      meet(20, -9 * MILLI);
    }

    assertThat(rounds.bound(3, -1_448 * MILLI)).isEqualTo(-1_448 * MILLI);
  }

  @Test
  void areForgottenWhereNobodyMeetsAnyMore() {
    meet(20, 0);
    meet(30, 0);
    meet(40, 0);
    for (int round = 5; round < 30; round++) {
      meet(10 * round, 3 * SECOND);
    }

    assertThat(rounds.bound(3, 3 * SECOND)).isEqualTo(3 * SECOND);
  }

  @Test
  void allowForTheDriftSinceThen() {
    meet(0, 0);
    meet(10, 0);
    meet(20, 0);
    meet(10_000, 0);

    assertThat(rounds.bound(3, 900 * MILLI)).isEqualTo(900 * MILLI);
  }

  @Test
  void sayNothingOfFewClocks() {
    for (int round = 0; round < 5; round++) {
      rounds.note(new long[] {0, 5 * MILLI, 9 * MILLI}, 0, round * 10L * SECOND);
    }

    assertThat(rounds.bound(1, -SECOND)).isEqualTo(-SECOND);
  }

  @Test
  void forgetWhatWasBeforeAClockWasSet() {
    meet(20, 0);
    meet(30, 0);
    meet(40, 0);
    rounds.forget();

    assertThat(rounds.bound(3, 3 * SECOND)).isEqualTo(3 * SECOND);
  }

  /// All but clock 3 come within ten milliseconds.
  private void meet(int seconds, long of3) {
    var earliest = new long[CLOCKS];
    for (int clock = 0; clock < CLOCKS; clock++) {
      earliest[clock] = seconds * SECOND + (clock == 3 ? of3 : clock % 11 * MILLI);
    }
    rounds.note(earliest, seconds * SECOND, seconds * SECOND);
  }
}
