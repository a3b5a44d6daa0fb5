package io.ringside.streams.judge;

import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.job.Run;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/// Runs of one job that were judged when they were over: the job's state may forget them.
public final class SettledRuns {
  /// Many times as many as a state holds.
  private static final int MOST = 1_024;

  private final Set<String> settled = new LinkedHashSet<>();

  /// Takes in what was judged.
  public void note(Collection<RunSummary> judged) {
    judged.stream().filter(run -> run.state().over()).forEach(run -> settled.add(run.run()));
    while (settled.size() > MOST) {
      settled.remove(settled.iterator().next());
    }
  }

  /// Whether one of these runs was not judged to its end.
  public boolean lacks(Collection<Run> runs) {
    return runs.stream().anyMatch(run -> !settled.contains(run.id()));
  }
}
