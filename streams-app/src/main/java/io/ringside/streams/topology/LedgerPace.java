package io.ringside.streams.topology;

import io.ringside.schemas.event.RunSummary;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// When a changed line of the ledger is drawn and published. A run that goes on changes with every line of its logs,
/// and its line is tens of kilobytes: what is only a later time or a longer wait goes out every
/// {@value #MILLIS} ms, everything else at once. Who begins anew in each line would fill the topic with lines that hold for
/// a moment: beyond {@value #TIMES} times what the ledger holds of a job they go out at a rate. Not kept: after a restart
/// lines go out once more.
final class LedgerPace {
  static final long MILLIS = 5_000;
  private static final int MANY = 10_000;

  /// All lines of a job may change so often at once.
  private static final int TIMES = 4;

  /// And beyond that once in so many seconds.
  private static final long EACH_SECONDS = 5;

  private final Map<String, Long> published = new HashMap<>();
  private final Map<String, Long> drawn = new HashMap<>();

  /// Of each job, until when the lines that went out would have taken at the rate.
  private final Map<String, Long> paid = new HashMap<>();

  private final long millisALine;

  /// @param lines that the ledger holds of a job
  LedgerPace(int lines) {
    this.millisALine = EACH_SECONDS * 1_000 / lines;
  }

  /// Whether one more line of the job may go out; if so, it counts.
  boolean lets(String job, long nowMillis) {
    long until = Math.max(paid.getOrDefault(job, 0L), nowMillis);
    boolean lets = until - nowMillis <= TIMES * EACH_SECONDS * 1_000;
    if (lets) {
      if (paid.size() >= MANY) {
        paid.values().removeIf(at -> at <= nowMillis);
      }
      paid.put(job, until + millisALine);
    }
    return lets;
  }

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

  /// Whether the two differ in nothing but times, sums and what is made of them.
  private static boolean alike(RunSummary a, RunSummary b) {
    return a.state() == b.state()
        && a.attempt() == b.attempt()
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
