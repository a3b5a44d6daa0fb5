package io.ringside.streams.topology;

import io.ringside.schemas.event.RunSummary;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Decides when a changed summary in the ledger is drawn, that is, its aggregates are computed
/// anew, and when it is published. The summary of a live run changes with every line of its logs
/// and has tens of kilobytes. A change that is only a later time, a longer wait or another number
/// of attempts goes out every {@value #MILLIS} ms; any other change goes out at once. Not kept:
/// after a restart summaries go out once more.
final class LedgerPace {
  static final long MILLIS = 5_000;
  private static final int MANY = 10_000;

  private final Map<String, Long> published = new HashMap<>();
  private final Map<String, Long> drawn = new HashMap<>();

  /// Whether the job's runs are to be drawn anew now; if so, they count as drawn.
  boolean drawing(String job, long nowMillis) {
    var last = drawn.get(job);
    boolean due = last == null || nowMillis - last >= MILLIS;
    if (due) {
      mark(drawn, job, nowMillis);
    }
    return due;
  }

  /// Notes that a summary was published. One that was drawn is always published, or else the drawn
  /// part is lost.
  void published(String id, long nowMillis) {
    mark(published, id, nowMillis);
  }

  /// Whether to publish a summary now that was not drawn; if so, it counts as published.
  ///
  /// @param known the summary as last published, null if none was
  boolean due(String id, @Nullable RunSummary known, RunSummary run, long nowMillis) {
    var last = published.get(id);
    boolean due = known == null || last == null || nowMillis - last >= MILLIS || !alike(known, run);
    if (due) {
      mark(published, id, nowMillis);
    }
    return due;
  }

  private static void mark(Map<String, Long> times, String id, long nowMillis) {
    if (times.size() >= MANY) {
      times.values().removeIf(at -> nowMillis - at >= MILLIS);
    }
    times.put(id, nowMillis);
  }

  /// Whether the two differ only in times, sums, values derived from them, and the number of
  /// attempts.
  private static boolean alike(RunSummary a, RunSummary b) {
    return a.state() == b.state()
        && a.nranks() == b.nranks()
        && a.ranksSeen() == b.ranksSeen()
        && a.channels() == b.channels()
        && a.network().equals(b.network())
        && a.nodes().equals(b.nodes())
        && a.pods().equals(b.pods())
        && a.transports().equals(b.transports())
        && a.checklist().equals(b.checklist())
        && a.environment().equals(b.environment())
        && Objects.equals(a.instanceType(), b.instanceType());
  }
}
