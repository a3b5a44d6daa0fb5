package io.ringside.streams.config;

import io.ringside.platform.config.Require;
import java.net.URI;
import java.time.Duration;

/// Limits of what `/metrics` exports, and the links for dashboards and alerts.
///
/// @param maxJobs most jobs with series of their own; the others are counted as folded
/// @param maxNodes most suspect nodes, and most agents in trouble, with series of their own
/// @param topRanks most ranks of a job that are named, worst first: ranks that others wait for, and
///     ranks whose GPU differs most
/// @param rankSeries most ranks of a job with a series of their waits, for the heat map
/// @param retireAfter how long the series of an ended job stay, and how long a silent agent counts
/// @param page address of the page for people's browsers, for links in dashboards and alerts:
///     absolute, or empty for none
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

  /// Limits without links.
  public MetricsConfig(
      int maxJobs, int maxNodes, int topRanks, int rankSeries, Duration retireAfter) {
    this(maxJobs, maxNodes, topRanks, rankSeries, retireAfter, "", "");
  }

  /// The host of {@link #page}, as browsers name it; empty if there is none.
  public String pageName() {
    var host = page.isEmpty() ? null : URI.create(page).getHost();
    return host == null ? "" : host;
  }

  /// Requires an absolute address without a slash at its end, because appended paths begin with
  /// one.
  private static void absolute(String name, String address) {
    if (!address.isEmpty() && !address.matches("https?://[^\\s/].*[^/]")) {
      throw new IllegalArgumentException(
          name + " must begin with http:// or https:// and not end with a slash, was " + address);
    }
  }
}
