package io.ringside.streams.topology;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The jobs of a partition that changed since they were judged, in the order in which they are due.
/// Jobs with news come first, and within each kind the job that waited longest. Crowded jobs, which
/// have more runs than the ledger holds, come last. After a judgement a job rests for ten times as
/// long as the judgement took, a crowded job longer, so that no job takes the whole thread. In the
/// long run these judgements of a job take at most a twentieth of it for each of its nodes: one pod
/// whose lines are hard to judge must not hold up all other jobs. Times are milliseconds of the
/// wall clock. Owned by one stream thread.
final class DueJobs {
  /// Rest as a multiple of the time that judging took, limited by the next two constants.
  private static final int TIMES = 10;

  private static final long LONGEST_MILLIS = 500;

  /// Least multiple, also beyond the longest rest.
  private static final int LEAST_TIMES = 2;

  /// Multiple for a crowded job, without a limit.
  private static final int TIMES_CROWDED = 60;

  /// A judgement that takes longer makes a job a heavy one.
  private static final long HEAVY_MILLIS = 100;

  /// Share of the thread's time for each node of a job, in percent, once what a job may save is
  /// used up.
  private static final int PERCENT_A_NODE = 5;

  private final JudgingShare share = new JudgingShare(PERCENT_A_NODE, JudgingShare.MOST);
  private final Map<String, Due> changed = new HashMap<>();
  private final Map<String, Long> restsUntil = new HashMap<>();
  private final Set<String> crowded = new HashSet<>();
  private final Set<String> heavy = new HashSet<>();
  private long askedMillis = Long.MIN_VALUE;

  /// A job that waits to be judged.
  ///
  /// @param news whether its records say more than that the job is still alive
  /// @param crowded whether it had more runs than the ledger holds when last judged
  /// @param heavy whether that took long
  record Due(String job, boolean news, long sinceMillis, boolean crowded, boolean heavy) {
    private static final Comparator<Due> ORDER =
        Comparator.comparing(Due::crowded)
            .thenComparing(Due::news, Comparator.reverseOrder())
            .thenComparingLong(Due::sinceMillis)
            .thenComparing(Due::job);

    /// Whether both jobs draw on the same part of the thread's time.
    boolean isLike(Due other) {
      return crowded == other.crowded && news == other.news && heavy == other.heavy;
    }
  }

  /// A record about the job came.
  ///
  /// @param news whether the record says more than that the job is still alive
  void changed(String job, boolean news, long nowMillis) {
    var before = changed.get(job);
    if (before == null || news && !before.news()) {
      long since = Math.max(nowMillis, restsUntil.getOrDefault(job, nowMillis));
      changed.put(job, new Due(job, news, since, crowded.contains(job), heavy.contains(job)));
    }
  }

  /// Jobs that may be judged now, in order.
  List<Due> ready(long nowMillis) {
    if (nowMillis < askedMillis) { // the clock was set back: do not wait for it to catch up
      restsUntil.clear();
      changed.replaceAll(
          (job, due) -> new Due(job, due.news(), nowMillis, due.crowded(), due.heavy()));
    }
    askedMillis = nowMillis;
    return changed.values().stream()
        .filter(due -> due.sinceMillis() <= nowMillis)
        .sorted(Due.ORDER)
        .toList();
  }

  /// Removes the job, because it is being judged now.
  void take(String job) {
    changed.remove(job);
  }

  /// Notes how much of the thread's time judging the job took.
  ///
  /// @param isCrowded whether it has more runs than the ledger holds
  /// @param nodes that its lines come from
  void took(String job, long nanos, boolean isCrowded, long nodes, long nowMillis) {
    if (isCrowded) {
      crowded.add(job);
    } else {
      crowded.remove(job);
    }
    long millis = nanos / 1_000_000;
    if (millis > HEAVY_MILLIS) {
      heavy.add(job);
    } else {
      heavy.remove(job);
    }
    long rest =
        isCrowded
            ? TIMES_CROWDED * millis
            : Math.max(LEAST_TIMES * millis, Math.min(LONGEST_MILLIS, TIMES * millis));
    long some = Math.max(1, nodes);
    share.took(job, nanos / some, nowMillis);
    if (!share.lets(job, nowMillis)) {
      rest = Math.max(rest, (100 / PERCENT_A_NODE - 1) * millis / some);
    }
    restsUntil.put(job, nowMillis + millis + rest);
  }

  /// Forgets the job.
  void forget(String job) {
    changed.remove(job);
    restsUntil.remove(job);
    crowded.remove(job);
    heavy.remove(job);
    share.forget(job);
  }
}
