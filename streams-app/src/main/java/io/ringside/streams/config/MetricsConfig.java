package io.ringside.streams.config;

import io.ringside.platform.config.Require;
import java.net.URI;
import java.time.Duration;

/// The bounds of what `/metrics` exports, and what dashboards and alerts are told of the
/// installation.
///
/// @param maxJobs how many jobs have series of their own; the others are counted as folded
/// @param maxNodes how many suspect nodes, and how many agents that are not well, have series of
///   their own
/// @param topRanks how many of a job's ranks are named, worst first: those others wait for, and
///     those whose GPU differs most
/// @param rankSeries how many of a job's ranks have a series of their waits, for the heat map
/// @param retireAfter how long the series of an ended job stay, and an agent that fell silent
///   counts
/// @param page where people's browsers reach the page, for links in dashboards and alerts: an
///     absolute address, or empty for none
/// @param runbooks the same for the folder of runbooks
public record MetricsConfig(
    int maxJobs,
    int maxNodes,
    int topRanks,
    int rankSeries,
    Duration retireAfter,
    String page,
    String runbooks) {
  public MetricsConfig {
    Require.between("maxJobs", 1, 100_000, maxJobs);
    Require.between("maxNodes", 0, 100_000, maxNodes);
    Require.between("topRanks", 0, 64, topRanks);
    Require.between("rankSeries", 0, 1_024, rankSeries);
    Require.positive("retireAfter", retireAfter);
    absolute("page", page);
    absolute("runbooks", runbooks);
  }

  /// Without links.
  public MetricsConfig(
      int maxJobs, int maxNodes, int topRanks, int rankSeries, Duration retireAfter) {
    this(maxJobs, maxNodes, topRanks, rankSeries, retireAfter, "", "");
  }

  /// The host of {@link #page}, as browsers name it; empty where there is none.
  public String pageName() {
    var host = page.isEmpty() ? null : URI.create(page).getHost();
    return host == null ? "" : host;
  }

  /// What is appended to it begins with a slash.
  private static void absolute(String name, String address) {
    if (!address.isEmpty() && !address.matches("https?://[^\\s/].*[^/]")) {
      throw new IllegalArgumentException(
          name + " must begin with http:// or https:// and not end with a slash, was " + address);
    }
  }
}
