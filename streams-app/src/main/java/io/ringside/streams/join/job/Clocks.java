package io.ringside.streams.join.job;

import java.util.Arrays;

/// Estimates how far the clocks behind the time stamps of a communicator's ranks stand apart.
///
/// Ranks that write to one log file share a clock. In each round the earliest arrival of a clock's ranks
/// is compared with the other clocks': a constant difference over all rounds is the clock's offset, for
/// a late rank is late in some rounds only, and rarely are all ranks of a clock late. The estimate moves
/// exactly with the clocks, so moving one changes no wait. A clock with one rank that is late by the same
/// amount in nearly all rounds of its life cannot be told from a wrong clock.
final class Clocks {
  /// Below the median, since lateness only adds; with two clocks it may add to either.
  private static final double SHARE = 0.3;

  private int[] clockOfRank;
  private Reservoir[] differences;
  private transient long[] earliest;

  Clocks() {
    this(new int[0]);
  }

  private Clocks(int[] clockOfRank) {
    this.clockOfRank = clockOfRank;
    int clocks = Arrays.stream(clockOfRank).max().orElse(-1) + 1;
    differences = new Reservoir[clocks];
    Arrays.setAll(differences, _ -> new Reservoir());
    earliest = new long[clocks];
  }

  /// One clock for each distinct name, in the order of the names.
  ///
  /// @param nameOfRank which clock each rank's times come from
  static Clocks of(String[] nameOfRank) {
    var names = Arrays.stream(nameOfRank).distinct().sorted().toList();
    return new Clocks(Arrays.stream(nameOfRank).mapToInt(names::indexOf).toArray());
  }

  /// Notes the arrivals of one round, one time a rank.
  void note(long[] nanos) {
    if (differences.length < 2) {
      return;
    }
    if (earliest == null || earliest.length != differences.length) {
      earliest = new long[differences.length];
    }
    Arrays.fill(earliest, Long.MAX_VALUE);
    for (int rank = 0; rank < nanos.length; rank++) {
      int clock = clockOfRank[rank];
      earliest[clock] = Math.min(earliest[clock], nanos[rank]);
    }
    var sorted = earliest.clone();
    Arrays.sort(sorted);
    long middle = sorted[(sorted.length - 1) / 2];
    for (int clock = 0; clock < earliest.length; clock++) {
      differences[clock].add(
          differences.length == 2 ? earliest[clock] - earliest[0] : earliest[clock] - middle);
    }
  }

  /// What to subtract from each rank's times, in nanoseconds.
  long[] offsets() {
    var offsets = new long[clockOfRank.length];
    if (differences.length < 2) {
      return offsets;
    }
    var ofClock = new long[differences.length];
    for (int clock = 0; clock < ofClock.length; clock++) {
      ofClock[clock] =
          Math.round(differences[clock].quantile(differences.length == 2 ? 0.5 : SHARE));
    }
    for (int rank = 0; rank < offsets.length; rank++) {
      offsets[rank] = ofClock[clockOfRank[rank]];
    }
    return offsets;
  }
}
