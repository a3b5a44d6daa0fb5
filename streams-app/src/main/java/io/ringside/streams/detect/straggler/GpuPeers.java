package io.ringside.streams.detect.straggler;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.GpuReading;
import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.gpu.GpuSecond;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Compares one process's GPU with those of its peers, second by second.
record GpuPeers(Run run, Thresholds.GpuPeers limit) {
  /// Percentage points by which a GPU's utilization may be below a busy GPU's before its host is
  /// the cause.
  private static final double SLACK_PERCENT = 20;

  private static final double[] NONE = {};

  /// A GPU that behaves unlike its peers while these wait.
  ///
  /// @param hot true if it works while the others wait, false if it idles while the others spin
  /// @param seconds length in seconds of the longest time without a break
  /// @param inAll seconds in all, without the breaks
  record Apart(
      TrainingProcess process,
      boolean hot,
      Instant since,
      Instant until,
      int seconds,
      int inAll,
      List<Evidence> proofs) {}

  /// The GPU that behaves unlike its peers for long enough, if it is the only one.
  Optional<Apart> apart() {
    Apart found = null;
    var seconds = seconds();
    boolean someHot = seconds.stream().anyMatch(this::someHot);
    boolean someIdle = seconds.stream().anyMatch(this::someIdle);
    if (!someHot && !someIdle) {
      return Optional.empty();
    }
    for (var process : run.byRank()) {
      for (boolean hot : new boolean[] {true, false}) {
        if (!(hot ? someHot : someIdle)) {
          continue;
        }
        var apart = longest(process, hot, seconds);
        if (apart.isPresent()) {
          if (found != null) {
            return Optional.empty();
          }
          found = apart.get();
        }
      }
    }
    return Optional.ofNullable(found);
  }

  /// Why the process is slow, from its GPU's readings between two times: one of the causes of
  /// `straggler`, `unknown` if the readings do not show it.
  String cause(TrainingProcess process, Instant since, Instant until) {
    boolean throttled = false;
    var own = new ArrayList<GpuReading>();
    var peers = new ArrayList<GpuReading>();
    for (var second : run.readings().between(since, until).values()) {
      for (var gpu = second.gpus(); gpu.next(); ) {
        var reading = gpu.reading();
        if (gpu.process().equals(process.id())) {
          own.add(reading);
          throttled |= reading.throttled();
        } else {
          peers.add(reading);
        }
      }
    }
    if (own.isEmpty() || peers.isEmpty()) {
      return "unknown";
    }
    if (throttled) {
      return "gpu-throttled";
    }
    if (median(own, GpuReading::smClockMHz)
            < limit.slowerClock() * median(peers, GpuReading::smClockMHz)
        && median(own, GpuReading::utilizationPercent) >= limit.busyPercent()) {
      return contended(own, peers) ? "gpu-contended" : "gpu-clock";
    }
    if (contended(own, peers)) {
      return "gpu-contended";
    }
    boolean peersSpin = median(peers, GpuReading::utilizationPercent) >= limit.busyPercent();
    if (peersSpin
        && median(own, GpuReading::utilizationPercent) < limit.busyPercent() - SLACK_PERCENT) {
      return "host";
    }
    return "unknown";
  }

  private boolean contended(List<GpuReading> own, List<GpuReading> peers) {
    return median(own, GpuReading::memoryUsedMiB)
            > median(peers, GpuReading::memoryUsedMiB) + limit.moreMemoryMiB()
        && median(own, GpuReading::utilizationPercent) >= limit.busyPercent();
  }

  /// One second of all GPUs, with the compared values sorted once. Comparing each GPU with all its
  /// peers anew would take longer than the time between two judgements from a few hundred ranks on.
  ///
  /// @param watts known power values, ascending. Like `busy`, it is empty if the GPUs are too
  ///   similar for any to stand apart
  /// @param busy known utilization values, ascending
  private record Second(long at, GpuSecond readings, double[] watts, double[] busy) {

    boolean complete(double[] values) {
      return values.length == readings.size();
    }
  }

  /// Seconds with readings of all processes' GPUs, at least three.
  private List<Second> seconds() {
    var seconds = new ArrayList<Second>();
    run.gpusWhileRunning()
        .forEach(
            (at, readings) -> {
              if (readings.size() >= Math.max(3, run.processes().size())) {
                seconds.add(second(at, readings));
              }
            });
    return seconds;
  }

  private Second second(long at, GpuSecond readings) {
    if (alike(readings)) {
      return new Second(at, readings, NONE, NONE);
    }
    var all = new ArrayList<GpuReading>(readings.size());
    for (var gpu = readings.gpus(); gpu.next(); ) {
      all.add(gpu.reading());
    }
    return new Second(
        at,
        readings,
        values(all, GpuReading::powerWatts),
        values(all, GpuReading::utilizationPercent));
  }

  /// Whether the GPU with the most power is close to the one with the least, and none idles.
  private boolean alike(GpuSecond readings) {
    double coolest = Double.MAX_VALUE;
    double hottest = 0;
    for (var gpu = readings.gpus(); gpu.next(); ) {
      double watts = gpu.watts();
      if (gpu.utilization() <= limit.idlePercent()) { // false if unknown (NaN)
        return false;
      }
      if (!Double.isNaN(watts)) {
        coolest = Math.min(coolest, watts);
        hottest = Math.max(hottest, watts);
      }
    }
    return hottest < limit.hotter() * coolest;
  }

  private Optional<Apart> longest(TrainingProcess process, boolean hot, List<Second> seconds) {
    long since = 0;
    long until = 0;
    long bestSince = 0;
    long bestUntil = -1;
    int all = 0;
    int apart = 0;
    for (var second : seconds) {
      var own = second.readings().get(process.id());
      if (own == null) {
        continue;
      }
      all++;
      if (!standsApart(own, second, hot)) {
        since = 0;
        continue;
      }
      apart++;
      since = since == 0 ? second.at() : since;
      until = second.at();
      if (until - since > bestUntil - bestSince || bestUntil < 0) {
        bestSince = since;
        bestUntil = until;
      }
    }
    int lasted = bestUntil < 0 ? 0 : (int) (bestUntil - bestSince + 1);
    if (apart == 0 || (hot && apart < limit.mostOfRun() * all)) {
      return Optional.empty();
    }
    if (lasted < least(process, hot, bestSince, bestUntil)) {
      return Optional.empty();
    }
    return Optional.of(
        new Apart(
            process,
            hot,
            Instant.ofEpochSecond(bestSince),
            Instant.ofEpochSecond(bestUntil + 1),
            lasted,
            apart,
            new GpuProofs(run).of(process, bestSince, bestUntil)));
  }

  private int least(TrainingProcess process, boolean hot, long since, long until) {
    if (!hot) {
      return (int) limit.idleFor().toSeconds();
    }
    var cause = cause(process, Instant.ofEpochSecond(since), Instant.ofEpochSecond(until));
    return cause.equals("gpu-contended")
        ? (int) limit.contendedFor().toSeconds()
        : (int) limit.busyFor().toSeconds();
  }

  /// Whether some GPU may stand apart: the one with the most power does if any does. In a healthy
  /// job none does, so not every process needs a look at every second.
  private boolean someHot(Second second) {
    double[] all = second.watts();
    return all.length > 1 && all[all.length - 1] >= limit.hotter() * all[(all.length - 1) / 2];
  }

  private boolean someIdle(Second second) {
    double[] all = second.busy();
    return all.length > 1 && all[0] <= limit.idlePercent() && all[1] >= limit.busyPercent();
  }

  private boolean standsApart(GpuReading own, Second second, boolean hot) {
    var watts = own.powerWatts();
    var busy = own.utilizationPercent();
    if (hot) {
      double[] all = second.watts();
      int peers = all.length - 1;
      return watts != null
          && busy != null
          && second.complete(all)
          && busy >= limit.busyPercent()
          && watts >= limit.hotter() * without(watts, all, peers / 2)
          && without(watts, all, peers - 1) <= limit.alike() * without(watts, all, 0);
    }
    double[] all = second.busy();
    return busy != null
        && second.complete(all)
        && busy <= limit.idlePercent()
        && without(busy, all, 0) >= limit.busyPercent();
  }

  /// The value at this place of the sorted values once `own` is taken out.
  private static double without(double own, double[] sorted, int place) {
    return place < Arrays.binarySearch(sorted, own) ? sorted[place] : sorted[place + 1];
  }

  private static double median(
      List<GpuReading> readings, Function<GpuReading, @Nullable Double> value) {
    double[] sorted = values(readings, value);
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
  }

  private static double[] values(
      List<GpuReading> readings, Function<GpuReading, @Nullable Double> value) {
    double[] sorted = new double[readings.size()];
    int count = 0;
    for (var reading : readings) {
      var known = value.apply(reading);
      if (known != null) {
        sorted[count++] = known;
      }
    }
    Arrays.sort(sorted, 0, count);
    return count == sorted.length ? sorted : Arrays.copyOf(sorted, count);
  }
}
