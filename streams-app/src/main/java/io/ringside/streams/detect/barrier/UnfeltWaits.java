package io.ringside.streams.detect.barrier;

import io.ringside.schemas.event.Nanos;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.gpu.GpuSecond;
import io.ringside.streams.waits.Rounds;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/// Tests whether the GPUs show no sign of the waits, where one rank waits far less than the others.
/// Hosts that run ahead make their calls long before their GPUs reach them. If one host makes its
/// calls later than the others, the hosts seem to wait but no GPU does.
///
/// ```text
///                            GPU of the late rank      GPUs of the other ranks
///   its GPU has more to do   works                     spin in the collective: as busy, less power
///   its host is slow         idles: less busy          spin
///   hosts run ahead          works                     work: as busy, the same power
/// ```
record UnfeltWaits(Run run) {
  /// Minimum difference between waits, as a share of the time: a smaller one would not show on
  /// GPUs.
  private static final double LEAST_DIFFERENCE = 0.3;

  private static final int FEWEST_SECONDS = 8;

  /// Difference in mean utilization, in percentage points, that occurs by chance.
  private static final double AS_BUSY = 3;

  /// Difference in power, as a share, between GPUs of one kind under the same load.
  private static final double SAME_POWER = 0.03;

  boolean are(Communicator comm, WaitStretch stretch) {
    long since = stretch.firstWindow() * Rounds.WINDOW_NANOS;
    long until = stretch.endWindow() * Rounds.WINDOW_NANOS;
    double[] waited = comm.waits().series().waitedSeconds(since, until);
    if (waited.length == 0) {
      return false;
    }
    int least =
        IntStream.range(0, waited.length)
            .boxed()
            .min(Comparator.comparingDouble(rank -> waited[rank]))
            .orElseThrow();
    double middle = Arrays.stream(waited).sorted().toArray()[waited.length / 2];
    var waitedFor = run.members(comm).get(least);
    return waitedFor != null
        && middle - waited[least] >= LEAST_DIFFERENCE * stretch.seconds()
        && alike(waitedFor, since, until);
  }

  /// Whether this process's GPU was as busy as the others on average, at the same power.
  private boolean alike(TrainingProcess own, long sinceNanos, long untilNanos) {
    int seconds = 0;
    double busier = 0;
    double more = 0;
    double watts = 0;
    for (var second :
        run.readings().between(Nanos.instant(sinceNanos), Nanos.instant(untilNanos)).values()) {
      var mean = Mean.of(second, own.id());
      if (!Double.isNaN(mean.busier()) && !Double.isNaN(mean.moreWatts())) {
        seconds++;
        busier += mean.busier();
        more += mean.moreWatts();
        watts += mean.watts();
      }
    }
    return seconds >= FEWEST_SECONDS
        && Math.abs(busier) <= AS_BUSY * seconds
        && Math.abs(more) <= SAME_POWER * watts;
  }

  /// How a GPU differs from the mean of the others in one second; NaN where a value is missing.
  ///
  /// @param watts mean power of the others
  private record Mean(double busier, double moreWatts, double watts) {

    static Mean of(GpuSecond second, String own) {
      double ownBusy = Double.NaN;
      double ownWatts = Double.NaN;
      double busy = 0;
      double watts = 0;
      int others = 0;
      for (var gpu = second.gpus(); gpu.next(); ) {
        if (gpu.process().equals(own)) {
          ownBusy = gpu.utilization();
          ownWatts = gpu.watts();
        } else {
          others++;
          busy += gpu.utilization();
          watts += gpu.watts();
        }
      }
      return new Mean(ownBusy - busy / others, ownWatts - watts / others, watts / others);
    }
  }
}
