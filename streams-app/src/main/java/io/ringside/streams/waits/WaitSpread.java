package io.ringside.streams.waits;

import io.ringside.schemas.event.RunAggregates.WaitHistogram;
import java.util.ArrayList;
import java.util.Arrays;

/// How long each rank of a communicator waited in a round: counts by length, in {@value #STEPS}
/// classes that grow by the square root of two from 10 µs to two and a half minutes. A quantile is
/// therefore right to about a fifth. Kept up to {@value #MAX_RANKS} ranks.
public final class WaitSpread {
  private static final int STEPS = 48;
  private static final double SHORTEST = 1e-5;
  private static final int MAX_RANKS = 1024;

  private static final int FIRST_CLASS = 14;
  private static final int LAST_CLASS = 42;

  private int nranks;

  /// Counts by rank. A rank's array exists from its first round on, the outer array from any
  /// rank's.
  private int[][] counts = new int[0][];

  WaitSpread() {}

  WaitSpread(int nranks) {
    this.nranks = nranks;
  }

  /// Adds a wait of this rank in this many rounds.
  void add(int rank, double seconds, double times) {
    if (nranks > MAX_RANKS) {
      return;
    }
    if (counts.length == 0) {
      counts = new int[nranks][];
    }
    if (counts[rank] == null) {
      counts[rank] = new int[STEPS];
    }
    counts[rank][step(seconds)] += (int) Math.round(times);
  }

  private static int step(double seconds) {
    if (seconds <= SHORTEST) {
      return 0;
    }
    return (int) Math.min(STEPS - 1L, 1 + (long) (2 * Math.log(seconds / SHORTEST) / Math.log(2)));
  }

  /// Counts of one rank, empty if none are kept; those of several communicators can be added up.
  public long[] of(int rank) {
    return counts.length == 0 || counts[rank] == null
        ? new long[0]
        : Arrays.stream(counts[rank]).asLongStream().toArray();
  }

  /// The wait in seconds below which this share of the counts lies; NaN if there are no counts.
  public static double quantile(long[] counts, double share) {
    long all = Arrays.stream(counts).sum();
    if (all == 0) {
      return Double.NaN;
    }
    long below = 0;
    for (int step = 0; step < counts.length; step++) {
      below += counts[step];
      if (below >= share * all) {
        return step == 0 ? 0 : SHORTEST * Math.pow(2, (step - 0.5) / 2);
      }
    }
    return SHORTEST * Math.pow(2, STEPS / 2.0);
  }

  /// The counts in classes that grow by two from 1.3 ms to 21 s, for display.
  public static WaitHistogram classes(long[] counts) {
    var seconds = new ArrayList<Double>();
    var sums = new ArrayList<Long>();
    int from = 0;
    for (int step = FIRST_CLASS; step <= LAST_CLASS; step += 2) {
      seconds.add(SHORTEST * (1L << (step / 2)));
      sums.add(Arrays.stream(counts, from, step + 1).sum());
      from = step + 1;
    }
    sums.add(Arrays.stream(counts, from, counts.length).sum());
    return new WaitHistogram(seconds, sums);
  }
}
