package io.ringside.streams.bill;

/// Seconds of wall-clock time by which a run would have been faster, with bounds as far as is
/// known.
record Saved(double seconds, double low, double high) {
  static final Saved NOTHING = new Saved(0, 0, 0);

  Saved {
    seconds = Math.max(0, seconds);
    low = Math.clamp(low, 0, seconds);
    high = Math.max(high, seconds);
  }

  static Saved about(double seconds, double error) {
    return new Saved(seconds, seconds - error, seconds + error);
  }

  /// A share of it.
  ///
  /// @param share 0 to 1
  Saved times(double share) {
    return new Saved(share * seconds, share * low, share * high);
  }
}
