package io.ringside.streams.detect.barrier;

import io.ringside.streams.join.job.Rounds;
import io.ringside.streams.join.job.WaitSeries;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Buckets in a row in which ranks waited for a good share of the time.
///
/// @param firstWindow number of its first window, see {@link Rounds#WINDOW_NANOS}
/// @param endWindow number of the window after it
/// @param share share of the ranks' time that they waited, 0 to 1
/// @param mostBlamed share of all waiting that was for the rank that was waited for the longest
/// @param open whether it reaches the newest bucket, or the one before it
record WaitStretch(
    long firstWindow, long endWindow, double share, double mostBlamed, boolean open) {

  double seconds() {
    return (endWindow - firstWindow) * (Rounds.WINDOW_NANOS / 1e9);
  }

  /// The longest stretch of buckets that each reach the share. The first bucket does not count: it holds
  /// the first steps, which compile, allocate and connect.
  static Optional<WaitStretch> longest(WaitSeries series, int nranks, double share) {
    var waits = series.buckets();
    var first = series.firstWindow();
    double room = series.width() * (Rounds.WINDOW_NANOS / 1e3) * nranks;
    WaitStretch best = null;
    Building building = null;
    for (var entry : waits.entrySet()) {
      long window = entry.getKey();
      var bucket = entry.getValue();
      if (window == first || bucket.waitedMicros() < share * room) {
        building = null;
        continue;
      }
      if (building == null || building.end != window) {
        building = new Building(window);
      }
      building.add(bucket, window + series.width(), nranks);
      // the newest bucket is still filling: one that is not full enough yet ends nothing
      var stretch = building.stretch(room, window + series.width() >= series.lastWindow());
      if (best == null
          || stretch.endWindow() - stretch.firstWindow() >= best.endWindow() - best.firstWindow()) {
        best = stretch;
      }
    }
    return Optional.ofNullable(best);
  }

  private static final class Building {
    private final long begin;
    private final Map<Integer, Double> blamed = new TreeMap<>();
    private long end;
    private double waited;
    private int buckets;

    Building(long begin) {
      this.begin = begin;
      this.end = begin;
    }

    void add(WaitSeries.Told bucket, long until, int nranks) {
      end = until;
      waited += bucket.waitedMicros();
      buckets++;
      bucket
          .blamedMicros()
          .forEach(
              (rank, micros) -> blamed.merge(rank, (double) micros * (nranks - 1), Double::sum));
    }

    WaitStretch stretch(double room, boolean open) {
      double most = blamed.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
      return new WaitStretch(begin, end, waited / (room * buckets), most / waited, open);
    }
  }
}
