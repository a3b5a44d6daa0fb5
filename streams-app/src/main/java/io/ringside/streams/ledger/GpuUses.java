package io.ringside.streams.ledger;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.RunAggregates;
import io.ringside.schemas.event.RunAggregates.GpuMedians;
import io.ringside.schemas.event.RunAggregates.GpuUse;
import io.ringside.schemas.event.RunAggregates.RankGpu;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.gpu.GpuSecond;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// GPU use of a run, rank by rank, compared with all ranks.
final class GpuUses {
  /// Samples that are read: enough for a median. Reading all 900 seconds of a thousand ranks would
  /// take longer than a judgement may.
  private static final int MAX_SAMPLES = 60;

  private GpuUses() {}

  /// The GPU use of a run, null without samples.
  static @Nullable GpuUse of(Run run) {
    var seconds = evenly(run.gpusWhileRunning());
    if (seconds.isEmpty()) {
      return null;
    }
    var byProcess = new TreeMap<String, List<GpuReading>>();
    seconds
        .values()
        .forEach(
            readings -> {
              for (var gpu = readings.gpus(); gpu.next(); ) {
                byProcess.computeIfAbsent(gpu.process(), _ -> new ArrayList<>()).add(gpu.reading());
              }
            });
    var ranks = new ArrayList<RankGpu>();
    for (var process : run.byRank()) {
      var readings = byProcess.get(process.id());
      if (readings != null && run.rank(process) >= 0) {
        ranks.add(
            new RankGpu(
                run.rank(process),
                process.node(),
                Objects.requireNonNullElse(process.busId(), ""),
                medians(readings),
                throttled(readings)));
      }
    }
    if (ranks.isEmpty()) {
      return null;
    }
    var all = ofAll(ranks);
    return new GpuUse(
        Instant.ofEpochSecond(seconds.firstKey()),
        Instant.ofEpochSecond(seconds.lastKey()),
        seconds.size(),
        all,
        apart(ranks, all));
  }

  private static TreeMap<Long, GpuSecond> evenly(Map<Long, GpuSecond> seconds) {
    var chosen = new TreeMap<Long, GpuSecond>();
    int every = (seconds.size() + MAX_SAMPLES - 1) / MAX_SAMPLES;
    int place = 0;
    for (var second : seconds.entrySet()) {
      if (place++ % every == 0) {
        chosen.put(second.getKey(), second.getValue());
      }
    }
    return chosen;
  }

  /// The ranks that differ most from the rest, in rank order.
  private static List<RankGpu> apart(List<RankGpu> ranks, GpuMedians all) {
    return ranks.stream()
        .sorted(
            Comparator.<RankGpu>comparingDouble(rank -> -distance(rank.medians(), all))
                .thenComparingInt(RankGpu::rank))
        .limit(RunAggregates.MAX_RANKS)
        .sorted(Comparator.comparingInt(RankGpu::rank))
        .toList();
  }

  private static double distance(GpuMedians one, GpuMedians all) {
    return apart(one.utilizationPercent(), all.utilizationPercent())
        + apart(one.powerWatts(), all.powerWatts())
        + apart(one.smClockMHz(), all.smClockMHz());
  }

  private static double apart(@Nullable Double one, @Nullable Double all) {
    return one == null || all == null || all == 0 ? 0 : Math.abs(one - all) / all;
  }

  private static GpuMedians ofAll(List<RankGpu> ranks) {
    var medians = ranks.stream().map(RankGpu::medians).toList();
    return new GpuMedians(
        median(medians, GpuMedians::utilizationPercent),
        median(medians, GpuMedians::powerWatts),
        median(medians, GpuMedians::smClockMHz),
        median(medians, GpuMedians::temperatureCelsius));
  }

  private static GpuMedians medians(List<GpuReading> readings) {
    return new GpuMedians(
        median(readings, GpuReading::utilizationPercent),
        median(readings, GpuReading::powerWatts),
        median(readings, GpuReading::smClockMHz),
        median(readings, GpuReading::temperatureCelsius));
  }

  private static <T> @Nullable Double median(
      Collection<T> of, Function<T, @Nullable Double> value) {
    var known = new double[of.size()];
    int count = 0;
    for (var each : of) {
      var one = value.apply(each);
      if (one != null) {
        known[count++] = one;
      }
    }
    Arrays.sort(known, 0, count);
    return count == 0 ? null : known[count / 2];
  }

  private static double throttled(List<GpuReading> readings) {
    return readings.stream().filter(GpuReading::throttled).count() / (double) readings.size();
  }
}
