package io.ringside.shipper.source.ras;

/// Why an address gave no RAS answer.
public enum Failure {
  /// No process listens there: no job runs, or its RAS is elsewhere.
  ABSENT,
  /// It did not answer in time, or the answer was incomplete.
  TIMEOUT,
  /// The answer is not from RAS, or damaged.
  GARBAGE,
  /// The answer was longer than the limit.
  TOO_LARGE
}
