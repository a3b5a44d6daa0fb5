package io.ringside.streams.config;

import java.time.Duration;

/// The bounds of what `/metrics` exports.
///
/// @param maxJobs how many jobs have series of their own; the others are counted as folded
/// @param topRanks how many of a job's ranks are named, worst first
/// @param retireAfter how long the series of an ended job stay
public record MetricsConfig(int maxJobs, int topRanks, Duration retireAfter) {
  public MetricsConfig {
    Require.between("maxJobs", 1, 100_000, maxJobs);
    Require.between("topRanks", 0, 64, topRanks);
    Require.positive("retireAfter", retireAfter);
  }
}
