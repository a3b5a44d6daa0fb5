package io.ringside.streams.detect.straggler;

import io.ringside.schemas.event.Nanos;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.gpu.GpuSecond;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// Tests whether a rank's GPU was idle while the rank was late.
///
/// ```text
///                      its GPU              the others'
///   more data          works all the time   spin in the collective: as busy, by nvidia-smi
///   a slow host        idles while late     spin in the collective
/// ```
///
/// Arrivals look alike in both cases. Each second, the GPU's utilization is compared with the
/// median of the others. That difference is compared with the one before and after, as what a rank
/// always does proves nothing.
final class IdleGpu {
  /// Readings are means over about the last second.
  private static final long MARGIN_NANOS = 1_000_000_000L;

  private static final int LEAST_WITHIN = 8;
  private static final int LEAST_OUTSIDE = 5;
  private static final int MOST_SECONDS = 240;

  /// At least this share of the delay must show as idle time; the rest may be hidden by work that
  /// the GPU still had.
  private static final double SHOWS = 0.5;

  /// In standard errors: chance makes means differ by less.
  private static final double SURE = 3;

  private IdleGpu() {}

  /// Sums over the seconds of one side.
  private static final class Side {
    private int seconds;
    private double sum;

    /// Sum of the medians of the others' utilization.
    private double middle;

    private double squares;

    /// Sum of utilization by process id.
    private final Map<String, Double> busy = new HashMap<>();

    void add(double own, double others, GpuSecond readings) {
      seconds++;
      sum += own - others;
      squares += (own - others) * (own - others);
      middle += others;
      for (var gpu = readings.gpus(); gpu.next(); ) {
        busy.merge(gpu.process(), gpu.utilization(), Double::sum);
      }
    }

    double mean(String of) {
      return busy.getOrDefault(of, Double.NaN) / seconds;
    }

    double mean() {
      return sum / seconds;
    }

    double errorSquared() {
      return Math.max(0, squares / seconds - mean() * mean()) / seconds;
    }
  }

  /// @param sinceNanos when the rank began to be late, Unix epoch nanoseconds
  /// @param untilNanos when it was late for the last time, Unix epoch nanoseconds
  /// @param share share of that time in which the others waited for it, 0 to 1
  static boolean explains(
      TrainingProcess process, long sinceNanos, long untilNanos, double share, Run run) {
    var within = new Side();
    var outside = new Side();
    var before = new Side();
    var after = new Side();
    var seconds = run.gpusWhileRunning();
    int stride = 1 + seconds.size() / MOST_SECONDS;
    int at = 0;
    for (var second : seconds.entrySet()) {
      if (at++ % stride != 0) {
        continue;
      }
      long nanos = Nanos.ofSeconds(second.getKey());
      double own = own(process, second.getValue());
      double others = Double.isNaN(own) ? own : others(process, second.getValue());
      if (Double.isNaN(others)) {
        continue;
      }
      if (nanos < sinceNanos || nanos > untilNanos + 2 * MARGIN_NANOS) {
        outside.add(own, others, second.getValue());
        (nanos < sinceNanos ? before : after).add(own, others, second.getValue());
      } else if (nanos >= sinceNanos + MARGIN_NANOS && nanos <= untilNanos) {
        within.add(own, others, second.getValue());
      }
    }
    return within.seconds >= LEAST_WITHIN
        && outside.seconds >= LEAST_OUTSIDE
        && idled(process, within, outside, share)
        && differs(within, before, share)
        && differs(within, after, share);
  }

  private static boolean idled(TrainingProcess process, Side within, Side outside, double share) {
    double less = outside.mean() - within.mean();
    double error = Math.sqrt(within.errorSquared() + outside.errorSquared());
    return less >= SHOWS * 100 * share
        && less >= SURE * error
        && alone(process, within, outside, less);
  }

  /// Whether at least a part of the difference shows against this side only, if the side has enough
  /// seconds.
  private static boolean differs(Side within, Side side, double share) {
    return side.seconds < LEAST_OUTSIDE || side.mean() - within.mean() >= SHOWS / 2 * 100 * share;
  }

  private static double own(TrainingProcess process, GpuSecond second) {
    for (var gpu = second.gpus(); gpu.next(); ) {
      if (gpu.process().equals(process.id())) {
        return gpu.utilization();
      }
    }
    return Double.NaN;
  }

  /// Median utilization of the other GPUs, NaN if none is known.
  private static double others(TrainingProcess process, GpuSecond second) {
    var others = new double[second.size()];
    int count = 0;
    for (var gpu = second.gpus(); gpu.next(); ) {
      if (!gpu.process().equals(process.id()) && !Double.isNaN(gpu.utilization())) {
        others[count++] = gpu.utilization();
      }
    }
    Arrays.sort(others, 0, count);
    return count == 0 ? Double.NaN : others[count / 2];
  }

  /// Whether no other GPU became idle by at least half as much.
  private static boolean alone(TrainingProcess process, Side within, Side outside, double less) {
    double all = outside.middle / outside.seconds - within.middle / within.seconds;
    return within.busy.keySet().stream()
        .filter(other -> !other.equals(process.id()))
        .allMatch(other -> outside.mean(other) - within.mean(other) - all < less / 2);
  }
}
