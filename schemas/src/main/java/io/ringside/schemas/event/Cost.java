package io.ringside.schemas.event;

import org.jspecify.annotations.Nullable;

/// The cost of a finding so far.
///
/// @param gpuSeconds GPU-seconds that ranks waited, stood still or took longer, as the finding's
///     own lines show; null if unknown
/// @param slowdown factor by which the run is slower than it should be, 1.0 for none; null if
///     unknown
public record Cost(@Nullable Double gpuSeconds, @Nullable Double slowdown) {
  /// The cost is unknown.
  public static final Cost UNKNOWN = new Cost(null, null);

  /// The cost if a share of the time is lost. The slowdown is unknown if nearly all is lost, since
  /// the speed without the loss is then unknown.
  public static Cost ofShare(@Nullable Double gpuSeconds, double share) {
    return new Cost(gpuSeconds, share < 0.99 ? 1 / (1 - share) : null);
  }
}
