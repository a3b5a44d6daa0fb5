package io.ringside.shipper.source.kubernetes;

/// Why the API server returned nothing or not everything.
public enum Failure {
  /// The server did not answer, or the connection broke.
  UNREACHABLE,
  /// The token or its rights are insufficient.
  REFUSED,
  /// The server does not know the version seen last, or no longer; the watch starts over.
  GONE,
  /// The server returned something unexpected.
  GARBAGE,
  /// A line was longer than any pod.
  TOO_LARGE
}
