package io.ringside.schemas.event;

import org.jspecify.annotations.Nullable;

/// What a finding costs so far.
///
/// @param gpuSeconds GPU-seconds that ranks waited, stood still or took longer, as its own lines
///     show; null where it cannot be known
/// @param slowdown how many times slower than it should be, 1.0 for not at all; null where unknown
public record Cost(@Nullable Double gpuSeconds, @Nullable Double slowdown) {
  /// Nothing is known about the cost.
  public static final Cost UNKNOWN = new Cost(null, null);

  /// Where a share of the time is lost; of nearly all of it nobody knows how fast the rest would
  /// be.
  public static Cost ofShare(@Nullable Double gpuSeconds, double share) {
    return new Cost(gpuSeconds, share < 0.99 ? 1 / (1 - share) : null);
  }
}
