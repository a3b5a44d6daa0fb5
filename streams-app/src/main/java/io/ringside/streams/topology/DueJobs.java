package io.ringside.streams.topology;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Jobs of a partition that changed since they were judged, and in which order they are due: those
/// with news first, and of each kind the one that waited longest; last are crowded ones, which
/// claim more runs than the ledger holds. A job rests for ten times as long as judging it took, so
/// that no job takes the thread for itself; a crowded one for longer. Times are those of the wall's
/// clock in milliseconds. Owned by one stream thread.
final class DueJobs {
  /// So many times as long as judging it took, within bounds.
  private static final int TIMES = 10;

  private static final long LONGEST_MILLIS = 500;

  /// However long it took.
  private static final int LEAST_TIMES = 2;

  /// However long it took, where the job is crowded.
  private static final int TIMES_CROWDED = 60;

  private final Map<String, Due> changed = new HashMap<>();
  private final Map<String, Long> restsUntil = new HashMap<>();
  private final Set<String> crowded = new HashSet<>();
  private long askedMillis = Long.MIN_VALUE;

  /// A job to be judged.
  ///
  /// @param news whether more was said of it than that it goes on
  /// @param crowded whether it had more runs than the ledger holds when it was judged last
  record Due(String job, boolean news, long sinceMillis, boolean crowded) {
    private static final Comparator<Due> ORDER =
        Comparator.comparing(Due::crowded)
            .thenComparing(Due::news, Comparator.reverseOrder())
            .thenComparingLong(Due::sinceMillis)
            .thenComparing(Due::job);

    /// Whether the two wait for the same part of the thread's time.
    boolean isLike(Due other) {
      return crowded == other.crowded && news == other.news;
    }
  }

  /// Something was said of the job.
  ///
  /// @param news whether more than that it goes on
  void changed(String job, boolean news, long nowMillis) {
    var before = changed.get(job);
    if (before == null || news && !before.news()) {
      long since = Math.max(nowMillis, restsUntil.getOrDefault(job, nowMillis));
      changed.put(job, new Due(job, news, since, crowded.contains(job)));
    }
  }

  /// Those that may be judged now, in order.
  List<Due> ready(long nowMillis) {
    if (nowMillis < askedMillis) { // a clock that is set back is not waited for
      restsUntil.clear();
      changed.replaceAll((job, due) -> new Due(job, due.news(), nowMillis, due.crowded()));
    }
    askedMillis = nowMillis;
    return changed.values().stream()
        .filter(due -> due.sinceMillis() <= nowMillis)
        .sorted(Due.ORDER)
        .toList();
  }

  /// The job is due no more: it is being judged.
  void take(String job) {
    changed.remove(job);
  }

  /// How much of the thread's time judging the job took.
  ///
  /// @param isCrowded whether it has more runs than the ledger holds
  void took(String job, long nanos, boolean isCrowded, long nowMillis) {
    if (isCrowded) {
      crowded.add(job);
    } else {
      crowded.remove(job);
    }
    long millis = nanos / 1_000_000;
    long rest =
        isCrowded
            ? TIMES_CROWDED * millis
            : Math.max(LEAST_TIMES * millis, Math.min(LONGEST_MILLIS, TIMES * millis));
    restsUntil.put(job, nowMillis + millis + rest);
  }

  /// The job is known no more.
  void forget(String job) {
    changed.remove(job);
    restsUntil.remove(job);
    crowded.remove(job);
  }
}
