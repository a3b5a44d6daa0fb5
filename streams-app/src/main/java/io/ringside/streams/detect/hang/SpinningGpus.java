package io.ringside.streams.detect.hang;

import io.ringside.schemas.event.LogChunk;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.UnmatchedTransfers;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.gpu.GpuSecond;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.DoublePredicate;

/// GPUs that spin after the run's last call: NCCL's kernels keep a GPU at full utilization while
/// they wait for a peer. If also some ranks made a call that others did not, this is a hang. It
/// shows long before silence does. It also shows in recorded logs, for which it is unknown when the
/// lines were read. Lines of a separate thread, about memory or temperature, are no progress.
///
/// @param since time of the run's last call
/// @param length from then until the last reading of its GPUs
record SpinningGpus(Instant since, Duration length) {
  /// Utilization of a GPU in which a kernel waits, in percent.
  private static final double BUSY = 95;

  /// Utilization, in percent, up to which a GPU is idle. In a program that makes progress all GPUs
  /// are busy.
  private static final double IDLE = 20;

  /// In seconds. Sensors are read every second, or every five or ten.
  private static final long WIDEST_GAP = 15;

  /// In seconds. After its last call a rank's GPU completes queued work, and sensors report a mean
  /// of the past.
  private static final long SETTLING = 5;

  /// A waiting kernel keeps its GPU busy: it is never idle for this many seconds.
  private static final int AT_REST_SECONDS = 6;

  /// The run's spinning, if the waiting ranks have spun without a break for long enough and a
  /// culprit is known.
  static Optional<SpinningGpus> since(Examination examination) {
    var run = examination.run();
    if (run.lastNanos() == LogChunk.NO_TIME
        || !Silence.underWay(run)
        || examination.job().runs().getLast() != run
        || Culprits.byCalls(run).isEmpty()) {
      return Optional.empty();
    }
    var waiting = run.ofRanks(Culprits.waiting(run));
    var culprits = run.ofRanks(Culprits.byCalls(run));
    // the reading in the second of the last call may be from before the call
    long stood = lastCall(run);
    long last = Math.floorDiv(stood, 1_000_000_000L) + 1;
    long settled = last;
    // nodes are read at different seconds
    var spun = new TreeSet<Long>();
    var idle = new TreeSet<Long>();
    for (var second : run.gpus().bySecond().tailMap(last, false).entrySet()) {
      if (contradicts(waiting, culprits, second.getValue())) {
        if (second.getKey() > last + SETTLING) {
          return Optional.empty();
        }
        settled = second.getKey();
        spun.clear();
        idle.clear();
        continue;
      }
      if (read(waiting, second.getValue())) {
        spun.add(second.getKey());
      }
      if (read(culprits, second.getValue())) {
        idle.add(second.getKey());
      }
    }
    if (!unbroken(spun) || !unbroken(idle)) {
      return Optional.empty();
    }
    // counted from the first reading: old readings are dropped after a long time, and a sensor may
    // have started late
    long first = Math.max(spun.first(), idle.first());
    var length =
        Duration.ofSeconds(
            Math.min(spun.last(), idle.last()) - (first - settled <= WIDEST_GAP ? settled : first));
    var limit = examination.expectations().thresholds().hang().spinning();
    return length.compareTo(limit) < 0
        ? Optional.empty()
        : Optional.of(new SpinningGpus(Instant.ofEpochSecond(0, stood), length));
  }

  /// Whether readings cover the whole time, not only its two ends.
  private static boolean unbroken(TreeSet<Long> seconds) {
    long before = seconds.isEmpty() ? 0 : seconds.first();
    for (long second : seconds) {
      if (second - before > WIDEST_GAP) {
        return false;
      }
      before = second;
    }
    return seconds.size() > AT_REST_SECONDS / 2;
  }

  /// When the last call was made, or when the last line was written if calls have no times.
  private static long lastCall(Run run) {
    long last = Math.max(UnmatchedTransfers.of(run).lastNanos(), run.lastCallNanos());
    return last == LogChunk.NO_TIME ? run.lastNanos() : last;
  }

  /// Whether the GPUs of the ranks that made a call which others did not have been idle since. Then
  /// no rank waits in a kernel, so the processes are gone. False if their sensors have no readings.
  static boolean nobody(Examination examination) {
    var run = examination.run();
    var waiting = run.ofRanks(Culprits.waiting(run));
    long last = Math.floorDiv(run.lastNanos(), 1_000_000_000L) + 1;
    var after = run.gpus().bySecond().tailMap(last, false);
    if (after.isEmpty() || after.lastKey() - last < AT_REST_SECONDS) {
      return false;
    }
    int told = 0;
    for (var second : after.tailMap(after.lastKey() - AT_REST_SECONDS, false).values()) {
      if (all(waiting, second, percent -> percent > IDLE)) {
        return false;
      }
      told += all(waiting, second, percent -> percent <= IDLE) ? 1 : 0;
    }
    return told > AT_REST_SECONDS / 2;
  }

  /// Whether the GPUs of all other ranks have spun from the given time until now, while those of
  /// these ranks were idle. Ranks also leave a job that ends, but then no GPU spins.
  static boolean without(Collection<Integer> gone, long sinceNanos, Examination examination) {
    var run = examination.run();
    var left = run.ofRanks(gone);
    var others = new ArrayList<>(run.byRank());
    others.removeAll(left);
    long first = Math.floorDiv(sinceNanos, 1_000_000_000L) + 1;
    int spun = 0;
    int idle = 0;
    for (var second : run.gpus().bySecond().tailMap(first, false).values()) {
      if (contradicts(others, left, second)) {
        return false;
      }
      spun += read(others, second) ? 1 : 0;
      idle += read(left, second) ? 1 : 0;
    }
    return spun > AT_REST_SECONDS && idle > AT_REST_SECONDS;
  }

  /// Whether some GPU of those that are to wait does not spin, or one of the others is not idle.
  private static boolean contradicts(
      List<TrainingProcess> waiting, List<TrainingProcess> others, GpuSecond readings) {
    return any(waiting, readings, percent -> percent < BUSY)
        || any(others, readings, percent -> percent > IDLE);
  }

  private static boolean read(List<TrainingProcess> processes, GpuSecond readings) {
    return any(processes, readings, _ -> true);
  }

  /// Whether all processes with a reading meet the condition, and at least one has a reading.
  private static boolean all(
      List<TrainingProcess> processes, GpuSecond readings, DoublePredicate so) {
    return read(processes, readings) && !any(processes, readings, so.negate());
  }

  /// Whether some process has a reading that meets the condition.
  private static boolean any(
      List<TrainingProcess> processes, GpuSecond readings, DoublePredicate so) {
    for (var process : processes) {
      var reading = readings.get(process.id());
      var percent = reading == null ? null : reading.utilizationPercent();
      if (percent != null && so.test(percent)) {
        return true;
      }
    }
    return false;
  }
}
