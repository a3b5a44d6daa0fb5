package io.ringside.streams.detect.hang;

import io.ringside.schemas.event.LogChunk;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.Exchanges;
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

/// GPUs that spin after the last call of the run: NCCL's kernels keep a GPU at full utilization
/// while they wait for a peer. With a call that some made and others did not, that is a hang, long
/// before silence alone tells; and it tells of recorded logs as well, where nobody knows when they
/// were read. Lines that a thread of its own writes, of memory or temperature, are no progress.
///
/// @param since of the run's last call
/// @param length until the last reading of its GPUs
record Spinning(Instant since, Duration length) {
  /// Utilization of a GPU in which a kernel waits, in percent.
  private static final double BUSY = 95;

  /// Utilization up to which a GPU has nothing to do. In a program that merely goes on all are
  /// busy.
  private static final double IDLE = 20;

  /// Sensors are read each second, or each five or ten.
  private static final long WIDEST_GAP = 15;

  /// After its last call a rank's GPU works off what was queued before, and sensors report a
  /// mean of the past.
  private static final long SETTLING = 5;

  /// A kernel that waits is never away for so long.
  private static final int AT_REST_SECONDS = 6;

  /// The run's spinning, if those who wait have spun without a break for long enough, and a culprit
  /// is known.
  static Optional<Spinning> since(Examination examination) {
    var run = examination.run();
    if (run.lastNanos() == LogChunk.NO_TIME
        || !Silence.underWay(run)
        || examination.job().runs().getLast() != run
        || Culprits.byCalls(run).isEmpty()) {
      return Optional.empty();
    }
    var waiting = run.ofRanks(Culprits.waiting(run));
    var culprits = run.ofRanks(Culprits.byCalls(run));
    // the reading of the second in which the last call came may be of before it
    long stood = lastCall(run);
    long last = Math.floorDiv(stood, 1_000_000_000L) + 1;
    long settled = last;
    var after = new TreeSet<Long>();
    for (var second : run.gpus().bySecond().entrySet()) {
      if (second.getKey() > last) {
        if (!all(waiting, second.getValue(), percent -> percent >= BUSY)
            || !all(culprits, second.getValue(), percent -> percent <= IDLE)) {
          if (second.getKey() > last + SETTLING) {
            return Optional.empty();
          }
          settled = second.getKey();
          after.clear();
        } else {
          after.add(second.getKey());
        }
      }
    }
    if (after.isEmpty()) {
      return Optional.empty();
    }
    // from the first reading on: of a long time the first are forgotten, and a sensor may have
    // begun late
    var length =
        Duration.ofSeconds(
            after.last() - (after.first() - settled <= WIDEST_GAP ? settled : after.first()));
    var limit = examination.expectations().thresholds().hang().spinning();
    return length.compareTo(limit) < 0 || !unbroken(after)
        ? Optional.empty()
        : Optional.of(new Spinning(Instant.ofEpochSecond(0, stood), length));
  }

  /// Whether there are readings of all of the time, not of its two ends.
  private static boolean unbroken(TreeSet<Long> seconds) {
    long before = seconds.first();
    for (long second : seconds) {
      if (second - before > WIDEST_GAP) {
        return false;
      }
      before = second;
    }
    return seconds.size() > AT_REST_SECONDS / 2;
  }

  /// When the last call was made, or the last line came if calls have no times.
  private static long lastCall(Run run) {
    long last = Math.max(Exchanges.of(run).lastNanos(), run.lastCallNanos());
    return last == LogChunk.NO_TIME ? run.lastNanos() : last;
  }

  /// Whether the GPUs of those who made a call that others did not have nothing to do since: nobody
  /// waits in a kernel, so the processes are gone. False where their sensors do not tell.
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

  /// Whether the GPUs of all others have spun since a moment and until now, while those of these
  /// ranks had nothing to do. Ranks of a job that ends leave as well, and then nobody spins.
  static boolean without(Collection<Integer> gone, long sinceNanos, Examination examination) {
    var run = examination.run();
    var left = run.ofRanks(gone);
    var others = new ArrayList<>(run.byRank());
    others.removeAll(left);
    long first = Math.floorDiv(sinceNanos, 1_000_000_000L) + 1;
    int told = 0;
    for (var second : run.gpus().bySecond().tailMap(first, false).values()) {
      if (!all(others, second, percent -> percent >= BUSY)
          || !all(left, second, percent -> percent <= IDLE)) {
        return false;
      }
      told++;
    }
    return told > AT_REST_SECONDS;
  }

  /// Whether all that have a reading are so, and one has.
  private static boolean all(
      List<TrainingProcess> processes, GpuSecond readings, DoublePredicate so) {
    boolean any = false;
    for (var process : processes) {
      var reading = readings.get(process.id());
      var percent = reading == null ? null : reading.utilizationPercent();
      if (percent != null) {
        any = true;
        if (!so.test(percent)) {
          return false;
        }
      }
    }
    return any;
  }
}
