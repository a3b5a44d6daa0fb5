package io.ringside.streams.topology;

import io.ringside.schemas.event.RunSummary;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// When a changed line of the ledger is drawn and published. A run that goes on changes with every
/// line of its logs, and its line is tens of kilobytes: what is only a later time, a longer wait or
/// another number among the attempts goes out every {@value #MILLIS} ms, everything else at once.
/// Not kept: after a restart lines go out once more.
final class LedgerPace {
  static final long MILLIS = 5_000;
  private static final int MANY = 10_000;

  private final Map<String, Long> published = new HashMap<>();
  private final Map<String, Long> drawn = new HashMap<>();

  /// Whether the job's runs are to be drawn anew; if so, they count as drawn.
  boolean drawing(String job, long nowMillis) {
    var last = drawn.get(job);
    boolean due = last == null || nowMillis - last >= MILLIS;
    if (due) {
      mark(drawn, job, nowMillis);
    }
    return due;
  }

  /// A line that was drawn is published, whenever that was: else what was drawn is lost.
  void published(String id, long nowMillis) {
    mark(published, id, nowMillis);
  }

  /// Whether to publish now what was not drawn; if so, it counts as published.
  ///
  /// @param known the line as last published, null if it was not
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

  /// Whether the two differ in nothing but times, sums, what is made of them, and their number.
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
