package io.ringside.streams.waits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WaitSeriesTest {
  @Test
  void keepsOneBucketAWindowWhileThereIsRoom() {
    var series = new WaitSeries(4);
    series.waited(1_000, 1, 0.25);
    series.waited(1_119, 1, 0.5);

    assertThat(series.width()).isEqualTo(1);
    assertThat(waited(series, 1)).isEqualTo(Map.of(1_000L, 250_000L, 1_119L, 500_000L));
  }

  @Test
  void doublesTheWidthOfItsBucketsWhenARunGrowsLong() {
    var series = new WaitSeries(4);
    for (long window = 1_000; window < 2_000; window++) {
      series.waited(window, 2, 0.001);
      series.lost(window, 3, 0.002);
    }

    assertThat(series.width()).isEqualTo(16);
    var waited = waited(series, 2);
    assertThat(waited).hasSizeLessThanOrEqualTo(WaitSeries.MAX_BUCKETS);
    assertThat(waited.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(1_000_000);
    assertThat(blamed(series, 3).values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(2_000_000);
  }

  @Test
  void tellsWhatEachRankWaitedBetweenTwoTimes() {
    var series = new WaitSeries(2);
    series.waited(10, 0, 0.5);
    series.waited(11, 0, 0.25);
    series.waited(12, 1, 1);

    long window = Rounds.WINDOW_NANOS;
    assertThat(series.waitedSeconds(10 * window, 12 * window)).containsExactly(0.75, 0);
    assertThat(series.waitedSeconds(11 * window, 12 * window + window / 2))
        .containsExactly(0.25, 0.5);
    assertThat(new WaitSeries(1_024).waitedSeconds(0, window)).isEmpty();
  }

  @Test
  void doesNotDependOnTheOrderOfItsWindows() {
    var there = new WaitSeries(2);
    var back = new WaitSeries(2);
    for (int i = 0; i < 400; i++) {
      there.waited(i, 0, i * 0.001);
      back.waited(399 - i, 0, (399 - i) * 0.001);
    }

    assertThat(waited(back, 0)).isEqualTo(waited(there, 0));
  }

  @Test
  void remembersOnlyTheMostBlamedRanksOfALargeCommunicator() {
    var series = new WaitSeries(1_024);
    for (int rank = 0; rank < 1_024; rank++) {
      series.lost(7, rank, rank == 700 ? 2 : 0.001);
      series.waited(7, rank, 1);
    }

    assertThat(blamed(series, 700)).containsEntry(7L, 2_000_000L);
    var told = new TreeMap<Integer, Long>();
    series.read((_, rank, waited, blamed) -> told.merge(rank, waited + blamed, Long::sum));
    assertThat(told).hasSizeLessThanOrEqualTo(16);
  }

  @Test
  void knowsTheQuantilesOfAWaitToAboutAFifth() {
    var spread = new WaitSpread(2);
    for (int round = 0; round < 1_000; round++) {
      spread.add(1, round % 100 == 0 ? 1.5 : 0.004, 1);
    }
    spread.add(1, 1.5, 1);

    assertThat(WaitSpread.quantile(spread.of(1), 0.5)).isCloseTo(0.004, within(0.0008));
    assertThat(WaitSpread.quantile(spread.of(1), 0.995)).isCloseTo(1.5, within(0.3));
    assertThat(WaitSpread.quantile(spread.of(0), 0.5)).isNaN();
  }

  private static Map<Long, Long> waited(WaitSeries series, int of) {
    var waits = new TreeMap<Long, Long>();
    series.read(
        (window, rank, waited, blamed) -> {
          if (rank == of && waited > 0) {
            waits.merge(window, waited, Long::sum);
          }
        });
    return waits;
  }

  private static Map<Long, Long> blamed(WaitSeries series, int of) {
    var blame = new TreeMap<Long, Long>();
    series.read(
        (window, rank, waited, blamed) -> {
          if (rank == of && blamed > 0) {
            blame.merge(window, blamed, Long::sum);
          }
        });
    return blame;
  }
}
