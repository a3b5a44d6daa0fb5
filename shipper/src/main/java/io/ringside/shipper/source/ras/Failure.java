package io.ringside.shipper.source.ras;

import java.util.Locale;

/// Why an address gave no answer of RAS.
public enum Failure {
  /// Nobody listens there: no job runs, or its RAS is elsewhere.
  ABSENT,
  /// It did not answer in time, or not to the end.
  TIMEOUT,
  /// It answered something else: not RAS, or damaged.
  GARBAGE,
  /// It answered more than is read.
  TOO_LARGE;

  /// As a metric's label, for example `too_large`.
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
