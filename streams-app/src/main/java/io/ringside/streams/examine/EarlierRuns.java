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

/// The ledger's lines of a job's runs, oldest first: each run that is judged adds its own to those
/// before it. What is sought among all of them is sought on from where the run before left off,
/// since a job may have thousands. For one judgement.
public final class EarlierRuns {
  private final List<RunSummary> lines;
  private final Map<Object, Found> found = new HashMap<>();

  public EarlierRuns(Collection<RunSummary> lines) {
    this.lines = new ArrayList<>(lines);
  }

  /// Which of the lines is sought.
  public interface Choice {
    /// @param best what was chosen among the lines before, null if nothing was
    boolean takes(RunSummary line, @Nullable RunSummary best);
  }

  /// @param seen how many lines were looked at
  private record Found(int seen, @Nullable RunSummary best) {
    static final Found NOTHING = new Found(0, null);
  }

  /// The next run was judged.
  public void add(RunSummary line) {
    lines.add(line);
  }

  public List<RunSummary> lines() {
    return Collections.unmodifiableList(lines);
  }

  /// The last line that the choice takes.
  ///
  /// @param what is sought: equal for choices that take the same
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
