package io.ringside.streams.waits;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Rounds to which ranks came together, among the differences of two clocks.
///
/// A rank that has just waited for a collective makes the next call together with all others,
/// however late it came to the one before. Many differences are then equal to a millisecond, and
/// show how far the clocks are apart, whichever rank is late in the rest.
///
/// @param middle nanoseconds
/// @param width how much they differ among themselves, nanoseconds
record JointArrivals(double middle, double width) {
  /// Most nanoseconds between arrivals of ranks that came together.
  private static final double CLOSE = 2e6;

  /// At least one in this many differences comes from such rounds.
  private static final int ONE_IN = 4;

  private static final int FEWEST = 16;

  /// Differences that alternate with the others are at least this share of them …
  private static final double AS_MANY = 0.5;

  /// … and alternate with them at least this often: after a clock was set, or a rank began to be
  /// late, they change only once.
  private static final double IN_TURNS = 0.125;

  /// Finds such rounds.
  ///
  /// @param sorted differences in nanoseconds, the least first
  /// @param share quantile that is the offset otherwise. Below the median lateness only adds, and
  ///   the lowest differences are right
  /// @return null if there are none
  static @Nullable JointArrivals find(double[] sorted, double share) {
    int many = sorted.length / ONE_IN;
    if (sorted.length < FEWEST) {
      return null;
    }
    JointArrivals best = null;
    for (int from = 0; from + many <= sorted.length; from++) {
      double width = sorted[from + many - 1] - sorted[from];
      if (width <= CLOSE && (best == null || width < best.width())) {
        best = new JointArrivals(sorted[from + many / 2], width);
        if (share < 0.5) {
          return best;
        }
      }
    }
    return best;
  }

  /// Distance of two places at which the differences gather alternately, in nanoseconds; 0 if they
  /// gather at one.
  ///
  /// If ranks call once a step, no rank has just waited for the others, and either clock may be the
  /// late one's: it looks the same whether their ranks alternate in being late, or one of them is
  /// late in every other step.
  ///
  /// @param inOrder differences in nanoseconds, the earliest first
  static double apart(double[] inOrder) {
    var sorted = inOrder.clone();
    Arrays.sort(sorted);
    var here = find(sorted, 0.5);
    if (here == null) {
      return 0;
    }
    int many = sorted.length / ONE_IN;
    double farthest = 0;
    for (int from = 0; from + many <= sorted.length; from++) {
      double there = sorted[from + many / 2];
      double apart = Math.abs(there - here.middle);
      if (sorted[from + many - 1] - sorted[from] <= CLOSE
          && apart > Math.max(2 * CLOSE, farthest)
          && byTurns(inOrder, here.middle, there)) {
        farthest = apart;
      }
    }
    return farthest;
  }

  private static boolean byTurns(double[] inOrder, double here, double there) {
    int ofHere = 0;
    int ofThere = 0;
    int turns = 0;
    boolean before = true;
    for (double each : inOrder) {
      boolean isHere = Math.abs(each - here) <= CLOSE;
      boolean isThere = Math.abs(each - there) <= CLOSE;
      ofHere += isHere ? 1 : 0;
      ofThere += isThere ? 1 : 0;
      if (isHere != isThere) {
        turns += isHere == before ? 0 : 1;
        before = isHere;
      }
    }
    return ofThere >= AS_MANY * ofHere && turns >= IN_TURNS * (ofHere + ofThere);
  }
}
