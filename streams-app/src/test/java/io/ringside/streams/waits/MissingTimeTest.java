package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MissingTimeTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long BEGIN = 1_790_000_000L * SECOND;

  @Test
  void tellsWhichRanksWereMissingWhileAllOthersHadCome() {
    var missing = new MissingTime();
    round(missing, BEGIN, 0, 0, 0, 0.5, 0, 2);

    assertThat(seconds(missing, Set.of(5))).isEqualTo(1.5, within(1e-6));
    assertThat(seconds(missing, Set.of(3))).isZero();
    assertThat(seconds(missing, Set.of(3, 5))).isEqualTo(2.0, within(1e-6));
  }

  /// Whoever is taken to be late: what one hides of another is in neither's part.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void partsAreNeverMoreThanTheWhole(long seed) {
    var random = new SplittableRandom(seed);
    int ranks = 4 + random.nextInt(20);
    var missing = new MissingTime();
    for (int step = 0; step < 400; step++) {
      var late =
          random.doubles(ranks).map(each -> each < 0.9 ? 0.02 * each : 3 * (each - 0.9)).toArray();
      round(missing, BEGIN + step * SECOND, late);
    }
    var all = IntStream.range(0, ranks).boxed().toList();
    for (int cut = 1; cut < ranks; cut++) {
      var one = new HashSet<>(all.subList(0, cut));
      var other = new HashSet<>(all.subList(cut, ranks));
      assertThat(seconds(missing, one) + seconds(missing, other))
          .isLessThanOrEqualTo(seconds(missing, Set.copyOf(all)) + 1e-6);
    }
  }

  /// A program that waits for its slowest rank, played again without the late one.
  @Test
  void savesWhatTheProgramTakesLessWithoutThem() {
    var random = new SplittableRandom(7);
    var missing = new MissingTime();
    double with = 0;
    double without = 0;
    long at = BEGIN;
    for (int step = 0; step < 300; step++) {
      var late = random.doubles(8, 0, 0.02).toArray();
      late[6] = 0.3;
      double others = IntStream.of(0, 1, 2, 3, 4, 5, 7).mapToDouble(i -> late[i]).max().orElse(0);
      with += late[6];
      without += others;
      round(missing, at, late);
      at += Math.round((1 + late[6]) * SECOND);
    }

    assertThat(seconds(missing, Set.of(6))).isEqualTo(with - without, within(0.01));
  }

  @Test
  void isBoundedHoweverLongTheRunAndHoweverManyRanks() {
    var random = new SplittableRandom(3);
    var missing = new MissingTime();
    for (int step = 0; step < 20_000; step++) {
      var late = random.doubles(64, 0, 0.5).toArray();
      late[9] += 1;
      round(missing, BEGIN + 30L * step * SECOND, late);
    }

    var spans = missing.spans(Set.of(9));
    assertThat(spans).hasSizeLessThanOrEqualTo(MissingTime.MAX_BUCKETS);
    // beyond the latest of 63 others, and nothing lost to what is forgotten
    assertThat(seconds(missing, Set.of(9)))
        .isEqualTo(20_000 * (1.25 - 0.5 * 63 / 64), within(200.0));
  }

  @Test
  void leavesOutForHowLongNobodyWaited() {
    var missing = new MissingTime();
    var ranks = new int[] {0, 1, 2, 3};
    var nanos = new long[] {BEGIN, BEGIN, BEGIN, BEGIN + 2 * SECOND};
    var offsets = new long[4];
    var arrival = Arrival.of(ranks, nanos, offsets, Long.MIN_VALUE);
    missing.round(arrival, ranks, nanos, offsets, BEGIN + SECOND / 2, 1);

    assertThat(seconds(missing, Set.of(3))).isEqualTo(1.5, within(1e-6));
  }

  private static void round(MissingTime missing, long at, double... late) {
    var nanos = new long[late.length];
    for (int rank = 0; rank < late.length; rank++) {
      nanos[rank] = at + Math.round(late[rank] * SECOND);
    }
    var offsets = new long[late.length];
    var ranks = IntStream.range(0, late.length).toArray();
    var arrival = Arrival.of(ranks, nanos, offsets, Long.MIN_VALUE);
    missing.round(arrival, ranks, nanos, offsets, Long.MIN_VALUE, 1);
  }

  private static double seconds(MissingTime missing, Set<Integer> ranks) {
    List<MissingTime.Span> spans = missing.spans(ranks);
    return spans.stream().mapToDouble(MissingTime.Span::missingSeconds).sum();
  }
}
