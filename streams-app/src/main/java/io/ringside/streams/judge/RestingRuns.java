package io.ringside.streams.judge;

import io.ringside.schemas.event.RunSummary;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Runs of one job that were over when they were last judged. A job that was restarted fifty times
/// has fifty runs, and lines of the newest rarely change what the others show. These rest for up to
/// a minute between two judgements; their findings and summaries stay as published. Kept in memory
/// only; owned by one stream thread.
public final class RestingRuns {
  private static final long REST_MILLIS = 60_000;

  /// The newest runs never rest: a run that looks over may go on, and what ended it may be told
  /// after the next run began.
  private static final int AWAKE = 3;

  private final Map<String, Long> judgedMillis = new HashMap<>();

  /// Notes which runs are over. A run whose agents were lost is not: it may go on.
  public void judged(Collection<RunSummary> runs, long nowMillis) {
    for (var run : runs) {
      if (run.state().over() && run.state() != RunSummary.State.LOST) {
        judgedMillis.put(run.run(), nowMillis);
      } else {
        judgedMillis.remove(run.run());
      }
    }
  }

  /// Ids of those of the job's runs that need not be judged now.
  ///
  /// @param runs ids of all of them, oldest first
  public Set<String> of(List<String> runs, long nowMillis) {
    judgedMillis.values().removeIf(at -> nowMillis < at || nowMillis - at >= REST_MILLIS);
    return runs.subList(0, Math.max(0, runs.size() - AWAKE)).stream()
        .filter(judgedMillis::containsKey)
        .collect(Collectors.toSet());
  }
}
