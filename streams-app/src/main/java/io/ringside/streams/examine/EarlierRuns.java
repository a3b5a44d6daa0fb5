package io.ringside.streams.examine;

import io.ringside.schemas.event.RunSummary;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The ledger's summaries of a job's runs, oldest first. Each judged run appends its own. A search
/// over them continues where the search for the run before stopped, since a job may have thousands
/// of runs. Used for one judgement.
public final class EarlierRuns {
  private final List<RunSummary> lines;
  private final Map<Object, Found> found = new HashMap<>();

  public EarlierRuns(Collection<RunSummary> lines) {
    this.lines = new ArrayList<>(lines);
  }

  /// Decides which summary a search selects.
  public interface Choice {
    /// @param best the one selected among the earlier summaries, null if none was
    boolean takes(RunSummary line, @Nullable RunSummary best);
  }

  /// @param seen number of summaries that were searched
  private record Found(int seen, @Nullable RunSummary best) {
    static final Found NOTHING = new Found(0, null);
  }

  /// Appends the summary of the next judged run.
  public void add(RunSummary line) {
    lines.add(line);
  }

  public List<RunSummary> lines() {
    return Collections.unmodifiableList(lines);
  }

  /// The last summary that the choice takes.
  ///
  /// @param what key of the search: equal for choices that select the same
  public Optional<RunSummary> last(Object what, Choice choice) {
    var before = found.getOrDefault(what, Found.NOTHING);
    var best = before.best();
    for (var line : lines.subList(before.seen(), lines.size())) {
      best = choice.takes(line, best) ? line : best;
    }
    found.put(what, new Found(lines.size(), best));
    return Optional.ofNullable(best);
  }
}
