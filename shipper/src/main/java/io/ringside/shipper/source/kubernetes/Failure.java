package io.ringside.shipper.source.kubernetes;

import java.util.Locale;

/// Why the API server told nothing, or not all.
public enum Failure {
  /// Nobody answered, or the connection broke.
  UNREACHABLE,
  /// The token or its rights do not suffice.
  REFUSED,
  /// What was seen last is too long ago: the watch begins anew.
  GONE,
  /// It answered something else.
  GARBAGE,
  /// A line was longer than any pod.
  TOO_LARGE;

  /// As a metric's label, for example `too_large`.
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
