package io.ringside.streams.topology;

import io.ringside.streams.topology.DueJobs.Due;
import io.ringside.streams.topology.RecordLag.Lag;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Limits how much of a stream thread's time goes into judging: a third, in small pieces so that
/// records are read in between, and only a tenth while the incoming records or the logs were sent a
/// while ago, as after the start of thousands of ranks. Results are late then anyway, and this way
/// the backlog ends sooner. Part of the budget is reserved for jobs with news. Among several
/// partitions, the one whose job has waited longest goes first.
///
/// Once records arrive a little late, jobs without news get only a third of the budget: to judge
/// them again can wait, and what is unread may hold news.
///
/// While the common budget is used up, jobs with news draw on a sixth of their own, unless they are
/// heavy themselves. A judgement of a heavy job takes up to seconds, and what is new about all
/// other jobs would wait until the common budget has earned them, for each heavy job that is due.
///
/// Crowded jobs have an account of their own, a quarter as large. Judging one takes up to seconds;
/// when a dozen of them shared the common account, every other job of the thread waited for a
/// minute.
///
/// The budget grows with the wall clock, in milliseconds, but judging costs processor time: on a
/// machine where other processes use the processor, judging waits for it and need not pay for that
/// wait as well. Only while records wait to be read does it pay for what they wait, which is all
/// the time that a judgement takes: a thread that gets a quarter of a processor would otherwise
/// spend half of that quarter on judging. There is one budget for each thread, used by that thread
/// alone.
final class JudgingBudget {
  private static final ThreadLocal<JudgingBudget> OF_THREAD =
      ThreadLocal.withInitial(JudgingBudget::new);

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /// Judging gets one part in this many of the time.
  private static final int PARTS = 3;

  private static final int PARTS_BEHIND = 10;

  /// The own budget of light jobs with news is one part in this many of the common one.
  private static final int PARTS_NEWS = 2;

  /// Jobs without news get one part in this many of the budget while records arrive late.
  private static final int PARTS_ROUTINE = 3;

  /// Crowded jobs get one part in this many of what the others get.
  private static final int PARTS_CROWDED = 4;

  /// Most time that can be saved up.
  private static final long MOST_NANOS = 100_000_000;

  /// Part of the saved time that is reserved for jobs with news.
  private static final long FOR_NEWS_NANOS = 50_000_000;

  /// A partition that did not ask for this long no longer counts as waiting.
  private static final long GONE_MILLIS = 5_000;

  private final Map<Object, Queue> queues = new HashMap<>();

  /// How late logs of this thread's partitions were read, and when that was seen.
  private final Map<Object, Reading> readings = new HashMap<>();

  private long nanos = MOST_NANOS;
  private long newsNanos = MOST_NANOS;
  private long routineNanos = MOST_NANOS;
  private long crowdedNanos = MOST_NANOS;
  private long atMillis = Long.MIN_VALUE;
  private boolean behind;

  /// The jobs that wait in a partition.
  ///
  /// @param lag how late the partition's records arrive
  private record Queue(List<Due> due, Lag lag, long askedMillis) {
    boolean anyBefore(Due other) {
      return due.stream()
          .filter(each -> each.isLike(other))
          .findFirst()
          .filter(first -> first.sinceMillis() < other.sinceMillis())
          .isPresent();
    }
  }

  private record Reading(Lag lag, long atMillis) {}

  /// Time that a judgement took, in nanoseconds.
  ///
  /// @param processorNanos of the thread
  /// @param elapsedNanos more than that where others use the processor
  record Spent(long processorNanos, long elapsedNanos) {
    /// Both clocks of this thread. Only differences have a meaning.
    static Spent now() {
      return new Spent(nanos(), System.nanoTime());
    }

    /// What was spent since a reading of both clocks.
    static Spent since(Spent began) {
      var now = now();
      return new Spent(
          now.processorNanos - began.processorNanos, now.elapsedNanos - began.elapsedNanos);
    }
  }

  static JudgingBudget ofThisThread() {
    return OF_THREAD.get();
  }

  /// Processor time of this thread where the system reports it, otherwise elapsed time, in
  /// nanoseconds. Only differences have a meaning.
  static long nanos() {
    return THREADS.isCurrentThreadCpuTimeSupported()
        ? THREADS.getCurrentThreadCpuTime()
        : System.nanoTime();
  }

  /// Notes which jobs wait in a partition.
  ///
  /// @param due in order
  /// @param lag how late the partition's records arrive
  void waits(Object partition, List<Due> due, Lag lag, long nowMillis) {
    if (nowMillis < atMillis) { // the clock was set back: do not wait for it to catch up
      queues.clear();
      readings.clear();
      owesNothing();
    } else if (atMillis != Long.MIN_VALUE) {
      queues.values().removeIf(queue -> queue.askedMillis() < nowMillis - GONE_MILLIS);
      readings.values().removeIf(reading -> reading.atMillis() < nowMillis - GONE_MILLIS);
      var worst =
          Stream.concat(
                  readings.values().stream().map(Reading::lag),
                  queues.values().stream().map(Queue::lag))
              .reduce(Lag.IN_TIME, Lag::or);
      behind = worst == Lag.BEHIND;
      long earned = (nowMillis - atMillis) * 1_000_000 / (behind ? PARTS_BEHIND : PARTS);
      nanos = Math.min(MOST_NANOS, nanos + earned);
      routineNanos =
          Math.min(
              MOST_NANOS, routineNanos + (worst == Lag.IN_TIME ? earned : earned / PARTS_ROUTINE));
      newsNanos = Math.min(MOST_NANOS, newsNanos + earned / PARTS_NEWS);
      crowdedNanos = Math.min(MOST_NANOS, crowdedNanos + earned / PARTS_CROWDED);
    }
    atMillis = nowMillis;
    queues.put(partition, new Queue(due, lag, nowMillis));
  }

  /// Notes how late a partition's logs are read. What its lines tell other partitions arrives late,
  /// too, beside what others tell in time.
  void reads(Object partition, Lag lag, long nowMillis) {
    readings.put(partition, new Reading(lag, nowMillis));
  }

  /// Notes which jobs still wait in the partition.
  ///
  /// @param due in order
  void waits(Object partition, List<Due> due) {
    queues.computeIfPresent(
        partition, (_, queue) -> new Queue(due, queue.lag(), queue.askedMillis()));
  }

  /// Whether the partition may judge this job now.
  boolean lets(Object partition, Due next) {
    return affords(next)
        && queues.entrySet().stream()
            .filter(queue -> !queue.getKey().equals(partition))
            .noneMatch(queue -> queue.getValue().anyBefore(next));
  }

  private boolean affords(Due next) {
    if (next.crowded()) {
      return crowdedNanos > (next.news() ? 0 : FOR_NEWS_NANOS);
    }
    return next.news()
        ? nanos > 0 || !next.heavy() && newsNanos > 0
        : nanos > FOR_NEWS_NANOS && routineNanos > 0;
  }

  /// Charges the time that a judgement took.
  void took(Due judged, Spent spent) {
    long nanos = behind ? spent.elapsedNanos() : spent.processorNanos();
    if (judged.crowded()) {
      crowdedNanos -= nanos;
    } else if (judged.news() && !judged.heavy() && this.nanos <= 0) {
      newsNanos -= nanos;
    } else {
      this.nanos -= nanos;
      routineNanos -= judged.news() ? 0 : nanos;
    }
  }

  /// Removes a partition that moved to another thread. A thread without partitions owes nothing:
  /// its debts came from jobs that other threads judge now.
  void leave(Object partition) {
    queues.remove(partition);
    if (queues.isEmpty()) {
      owesNothing();
    }
  }

  private void owesNothing() {
    nanos = MOST_NANOS;
    newsNanos = MOST_NANOS;
    routineNanos = MOST_NANOS;
    crowdedNanos = MOST_NANOS;
  }
}
