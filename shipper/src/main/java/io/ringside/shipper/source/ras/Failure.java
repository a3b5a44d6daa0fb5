package io.ringside.shipper.source.ras;

/// Why an address gave no answer of RAS.
public enum Failure {
  /// Nobody listens there: no job runs, or its RAS is elsewhere.
  ABSENT,
  /// It did not answer in time, or not to the end.
  TIMEOUT,
  /// It answered something else: not RAS, or damaged.
  GARBAGE,
  /// It answered more than is read.
  TOO_LARGE
}
