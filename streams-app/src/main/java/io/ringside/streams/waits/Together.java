package io.ringside.streams.waits;

import org.jspecify.annotations.Nullable;

/// Rounds to which ranks came together, among the differences of two clocks.
///
/// Who has just waited for a collective makes the next call with all others, however late it came to the one
/// before. Many differences are equal to a millisecond then, and tell what clocks differ by, whoever is late
/// in the rest.
///
/// @param middle nanoseconds
/// @param width by which they differ among themselves, nanoseconds
record Together(double middle, double width) {
  /// Nanoseconds that arrivals are apart at most which came together.
  private static final double CLOSE = 2e6;

  /// So great a share of the differences comes from them.
  private static final int ONE_IN = 4;

  private static final int FEWEST = 16;

  /// Finds them.
  ///
  /// @param sorted differences in nanoseconds, the least first
  /// @param share quantile that is the offset otherwise: below the median lateness only adds, and the lowest are right
  /// @return null if there are none
  static @Nullable Together in(double[] sorted, double share) {
    int many = sorted.length / ONE_IN;
    if (sorted.length < FEWEST) {
      return null;
    }
    Together best = null;
    for (int from = 0; from + many <= sorted.length; from++) {
      double width = sorted[from + many - 1] - sorted[from];
      if (width <= CLOSE && (best == null || width < best.width())) {
        best = new Together(sorted[from + many / 2], width);
        if (share < 0.5) {
          return best;
        }
      }
    }
    return best;
  }
}
