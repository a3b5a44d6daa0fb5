package io.ringside.streams.detect.straggler;

import io.ringside.streams.examine.DurationWords;

/// The share of a time that was spent waiting, in words.
final class WaitShare {
  private WaitShare() {}

  /// `77 % of these 15.5 s were spent waiting for it`.
  ///
  /// @param share share of the time, 0 to 1
  /// @param seconds length of that time
  /// @param ranks number of ranks that were waited for
  static String of(double share, double seconds, int ranks) {
    return "%.0f %% of these %s were spent waiting for %s"
        .formatted(100 * share, DurationWords.time(seconds), ranks == 1 ? "it" : "them");
  }
}
