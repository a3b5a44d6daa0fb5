package io.ringside.streams.config;

import java.time.Duration;

/// The bounds of what `/metrics` exports.
///
/// @param maxJobs how many jobs have series of their own; the others are counted as folded
/// @param maxNodes how many suspect nodes, and how many agents that are not well, have series of their own
/// @param topRanks how many of a job's ranks are named, worst first: those others wait for, and those
///     whose GPU differs most
/// @param rankSeries how many of a job's ranks have a series of their waits, for the heat map
/// @param retireAfter how long the series of an ended job stay, and an agent that fell silent counts
public record MetricsConfig(
    int maxJobs, int maxNodes, int topRanks, int rankSeries, Duration retireAfter) {
  public MetricsConfig {
    Require.between("maxJobs", 1, 100_000, maxJobs);
    Require.between("maxNodes", 0, 100_000, maxNodes);
    Require.between("topRanks", 0, 64, topRanks);
    Require.between("rankSeries", 0, 1_024, rankSeries);
    Require.positive("retireAfter", retireAfter);
  }
}
