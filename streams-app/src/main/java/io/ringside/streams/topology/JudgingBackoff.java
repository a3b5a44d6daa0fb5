package io.ringside.streams.topology;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/// When the jobs of a stream thread's partitions may be judged again: not before judging has rested for many times as long
/// as it took for all of them, so that large jobs are judged less often and records come first. While records come that
/// were sent a while ago, as after the start of thousands of ranks, it rests longer still: what is told then is late
/// anyway, and sooner up to date. When is told by the wall's clock, how long it took by the processor's: on a machine where others
/// have the processor, judging that waits for it need not rest for that as well. One for each thread, and used by it alone.
final class JudgingBackoff {
  private static final ThreadLocal<JudgingBackoff> OF_THREAD =
      ThreadLocal.withInitial(JudgingBackoff::new);

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /// So many times as long as judging took, within bounds.
  private static final int TIMES = 10;

  private static final long LONGEST_MILLIS = 500;

  /// However long it took.
  private static final int LEAST_TIMES = 2;

  private static final int TIMES_BEHIND = 30;
  private static final long LONGEST_BEHIND_MILLIS = 5_000;

  private long round;
  private long beganMillis;
  private long tookNanos;
  private boolean behind;

  static JudgingBackoff ofThisThread() {
    return OF_THREAD.get();
  }

  /// How long this thread has had a processor, where the system tells; to be compared with another moment.
  static long nanos() {
    return THREADS.isCurrentThreadCpuTimeSupported()
        ? THREADS.getCurrentThreadCpuTime()
        : System.nanoTime();
  }

  /// The round in which a partition may be judged now, once: another one than its last one, unless it has to wait.
  long round(long nowMillis) {
    boolean setBack = nowMillis < beganMillis;
    if (round == 0 || setBack || nowMillis >= untilMillis()) {
      round++;
      beganMillis = nowMillis;
      tookNanos = 0;
      behind = false;
    }
    return round;
  }

  /// A partition was judged in this round.
  ///
  /// @param isBehind whether its records were sent a while ago
  void took(long nanos, boolean isBehind) {
    tookNanos += nanos;
    behind |= isBehind;
  }

  private long untilMillis() {
    long took = tookNanos / 1_000_000;
    long most =
        behind
            ? Math.min(LONGEST_BEHIND_MILLIS, TIMES_BEHIND * took)
            : Math.min(LONGEST_MILLIS, TIMES * took);
    return beganMillis + took + Math.max(LEAST_TIMES * took, most);
  }
}
