package io.ringside.streams.detect.barrier;

import io.ringside.schemas.event.Nanos;
import io.ringside.streams.waits.Rounds;
import io.ringside.streams.waits.WaitSeries;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Consecutive buckets in which ranks waited for a large share of the time.
///
/// @param firstWindow number of its first window, see {@link Rounds#WINDOW_NANOS}
/// @param endWindow number of the window after it
/// @param share share of the ranks' time that they waited, 0 to 1
/// @param blamed share of all waiting that was for a rank, by rank of the communicator
/// @param open whether it reaches the newest bucket, or the one before it
record WaitStretch(
    long firstWindow, long endWindow, double share, Map<Integer, Double> blamed, boolean open) {

  /// Share of all waiting that was for the rank that was waited for the longest, 0 to 1.
  double mostBlamed() {
    return blamed.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  /// The two or three ranks that together account for nearly all waiting, each for a large part;
  /// empty if there are no such ranks.
  Set<Integer> few() {
    var few = new TreeSet<Integer>();
    blamed.forEach(
        (rank, part) -> {
          if (part >= PART) {
            few.add(rank);
          }
        });
    return few.size() < 2 || few.size() > MOST_FEW || blamedOn(few) < NEARLY_ALL ? Set.of() : few;
  }

  /// Share of all waiting that was for these ranks.
  double blamedOn(Set<Integer> ranks) {
    return ranks.stream().mapToDouble(rank -> blamed.getOrDefault(rank, 0.0)).sum();
  }

  double seconds() {
    return (endWindow - firstWindow) * Nanos.seconds(Rounds.WINDOW_NANOS);
  }

  /// The stretch in which waiting exceeds the share by most; single windows in it may stay below
  /// the share. The first bucket does not count: it holds the first steps, which compile, allocate
  /// and connect.
  static Optional<WaitStretch> worst(WaitSeries series, int nranks, double share) {
    if (series.isEmpty()) {
      return Optional.empty();
    }
    var waits = series.buckets();
    double room = series.width() * (Rounds.WINDOW_NANOS / 1e3) * nranks;
    WaitStretch best = null;
    double most = 0;
    var building = new Building(0);
    for (long window = series.firstWindow() + series.width();
        window <= series.lastWindow();
        window += series.width()) {
      if (building.excess <= 0) {
        building = new Building(window);
      }
      var bucket = waits.getOrDefault(window, NOTHING);
      building.add(bucket, window + series.width(), nranks, bucket.waitedMicros() - share * room);
      if (building.excess > most) {
        most = building.excess;
        // the newest bucket is still filling, so a low value there does not end the stretch
        best = building.stretch(room, window + series.width() >= series.lastWindow());
      }
    }
    return Optional.ofNullable(best);
  }

  private static final double PART = 0.2;
  private static final double NEARLY_ALL = 0.85;
  private static final int MOST_FEW = 3;

  private static final WaitSeries.Told NOTHING = new WaitSeries.Told(0, Map.of());

  private static final class Building {
    private final long begin;
    private final Map<Integer, Double> blamed = new TreeMap<>();
    private long end;
    private double waited;
    private double excess;
    private int buckets;

    Building(long begin) {
      this.begin = begin;
      this.end = begin;
    }

    void add(WaitSeries.Told bucket, long until, int nranks, double beyond) {
      end = until;
      waited += bucket.waitedMicros();
      excess += beyond;
      buckets++;
      bucket
          .blamedMicros()
          .forEach(
              (rank, micros) -> blamed.merge(rank, (double) micros * (nranks - 1), Double::sum));
    }

    WaitStretch stretch(double room, boolean open) {
      var shares = new TreeMap<Integer, Double>();
      blamed.forEach((rank, micros) -> shares.put(rank, micros / waited));
      return new WaitStretch(begin, end, waited / (room * buckets), shares, open);
    }
  }
}
