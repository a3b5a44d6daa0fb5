package io.ringside.streams.bill;

/// Seconds of wall-clock time by which a run would have been faster, with bounds as far as is
/// known.
record SavedTime(double seconds, double low, double high) {
  static final SavedTime NOTHING = new SavedTime(0, 0, 0);

  SavedTime {
    seconds = Math.max(0, seconds);
    low = Math.clamp(low, 0, seconds);
    high = Math.max(high, seconds);
  }

  static SavedTime about(double seconds, double error) {
    return new SavedTime(seconds, seconds - error, seconds + error);
  }

  /// A share of it.
  ///
  /// @param share 0 to 1
  SavedTime times(double share) {
    return new SavedTime(share * seconds, share * low, share * high);
  }
}
