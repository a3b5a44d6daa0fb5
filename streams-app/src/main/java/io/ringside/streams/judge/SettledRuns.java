package io.ringside.streams.judge;

import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.job.Run;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Runs of one job that were judged after their end, so the job's state may forget them.
public final class SettledRuns {
  /// Most remembered runs, several times as many as a state holds.
  private static final int MOST = 1_024;

  private final Set<String> settled = new LinkedHashSet<>();

  /// Records the judged runs that are over.
  public void note(Collection<RunSummary> judged) {
    judged.stream().filter(run -> run.state().over()).forEach(run -> settled.add(run.run()));
    while (settled.size() > MOST) {
      settled.remove(settled.iterator().next());
    }
  }

  /// Those of these runs that were not judged after their end.
  public List<Run> unsettled(Collection<Run> runs) {
    return runs.stream().filter(run -> !settled.contains(run.id())).toList();
  }
}
