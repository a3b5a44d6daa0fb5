package io.ringside.streams.topology;

import io.ringside.streams.topology.DueJobs.Due;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How much of a stream thread's time goes into judging: a third, in small pieces between which
/// records are read, and a tenth while records come that were sent a while ago, as after the start
/// of thousands of ranks: what is told then is late anyway, and sooner up to date. A part of it is
/// kept for jobs with news. Of several partitions the one goes first whose job waited longest.
///
/// Crowded jobs have an account of their own, a quarter as large: to judge one takes up to seconds,
/// and a dozen of them, paid for by all, kept every other job of the thread waiting for a minute.
///
/// Time passes by the wall's clock, in milliseconds; what judging took is the processor's time: on
/// a machine where others have the processor, judging that waits for it need not rest for that as
/// well. One for each thread, and used by it alone.
final class JudgingBudget {
  private static final ThreadLocal<JudgingBudget> OF_THREAD =
      ThreadLocal.withInitial(JudgingBudget::new);

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /// One part of so many.
  private static final int PARTS = 3;

  private static final int PARTS_BEHIND = 10;

  /// Of what others get, for crowded jobs.
  private static final int PARTS_CROWDED = 4;

  /// More is not saved.
  private static final long MOST_NANOS = 100_000_000;

  /// So much of it is for jobs with news.
  private static final long FOR_NEWS_NANOS = 50_000_000;

  /// A partition that did not ask for so long waits for nothing.
  private static final long GONE_MILLIS = 5_000;

  private final Map<Object, Queue> queues = new HashMap<>();
  private long nanos = MOST_NANOS;
  private long crowdedNanos = MOST_NANOS;
  private long atMillis = Long.MIN_VALUE;

  /// What a partition waits for.
  ///
  /// @param behind whether its records were sent a while ago
  private record Queue(List<Due> due, boolean behind, long askedMillis) {
    boolean anyBefore(Due other) {
      return due.stream()
          .filter(each -> each.isLike(other))
          .findFirst()
          .filter(first -> first.sinceMillis() < other.sinceMillis())
          .isPresent();
    }
  }

  static JudgingBudget ofThisThread() {
    return OF_THREAD.get();
  }

  /// How long this thread has had a processor, where the system tells; to be compared with another
  /// moment.
  static long nanos() {
    return THREADS.isCurrentThreadCpuTimeSupported()
        ? THREADS.getCurrentThreadCpuTime()
        : System.nanoTime();
  }

  /// A partition waits for these.
  ///
  /// @param due in order
  /// @param behind whether its records were sent a while ago
  void waits(Object partition, List<Due> due, boolean behind, long nowMillis) {
    if (nowMillis < atMillis) { // a clock that is set back is not waited for
      queues.clear();
      owesNothing();
    } else if (atMillis != Long.MIN_VALUE) {
      queues.values().removeIf(queue -> queue.askedMillis() < nowMillis - GONE_MILLIS);
      boolean anyBehind = queues.values().stream().anyMatch(Queue::behind);
      long earned = (nowMillis - atMillis) * 1_000_000 / (anyBehind ? PARTS_BEHIND : PARTS);
      nanos = Math.min(MOST_NANOS, nanos + earned);
      crowdedNanos = Math.min(MOST_NANOS, crowdedNanos + earned / PARTS_CROWDED);
    }
    atMillis = nowMillis;
    queues.put(partition, new Queue(due, behind, nowMillis));
  }

  /// It waits for these still.
  ///
  /// @param due in order
  void waits(Object partition, List<Due> due) {
    queues.computeIfPresent(
        partition, (_, queue) -> new Queue(due, queue.behind(), queue.askedMillis()));
  }

  /// Whether the partition may judge this job now.
  boolean lets(Object partition, Due next) {
    return (next.crowded() ? crowdedNanos : nanos) > (next.news() ? 0 : FOR_NEWS_NANOS)
        && queues.entrySet().stream()
            .filter(queue -> !queue.getKey().equals(partition))
            .noneMatch(queue -> queue.getValue().anyBefore(next));
  }

  /// How much of the thread's time a judgement took.
  void took(Due judged, long nanos) {
    if (judged.crowded()) {
      crowdedNanos -= nanos;
    } else {
      this.nanos -= nanos;
    }
  }

  /// The partition is another thread's from now on. A thread without partitions owes nothing: what
  /// it took was of jobs that others judge now.
  void leave(Object partition) {
    queues.remove(partition);
    if (queues.isEmpty()) {
      owesNothing();
    }
  }

  private void owesNothing() {
    nanos = MOST_NANOS;
    crowdedNanos = MOST_NANOS;
  }
}
