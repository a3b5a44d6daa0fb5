package io.ringside.shipper.source.kubernetes;

/// Why the API server told nothing, or not all.
public enum Failure {
  /// Nobody answered, or the connection broke.
  UNREACHABLE,
  /// The token or its rights do not suffice.
  REFUSED,
  /// It does not know the version that was seen last (any more): the watch begins anew.
  GONE,
  /// It answered something else.
  GARBAGE,
  /// A line was longer than any pod.
  TOO_LARGE
}
