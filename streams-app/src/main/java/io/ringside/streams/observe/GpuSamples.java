package io.ringside.streams.observe;

import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunAggregates.GpuMedians;
import io.ringside.schemas.event.RunAggregates.GpuUse;
import io.ringside.schemas.event.RunAggregates.RankGpu;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.publish.Job;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Series about a job's GPUs: medians over all of them, and the few GPUs that differ most from
/// their peers.
final class GpuSamples {
  /// A GPU this far from the median of its peers is an outlier.
  private static final double APART = 0.15;

  private static final double HERTZ = 1e6;
  private static final double PERCENT = 0.01;

  private final Samples samples;
  private final JobKey job;
  private final GpuUse use;

  private GpuSamples(Samples samples, Job job, GpuUse use) {
    this.samples = samples;
    this.job = job.key();
    this.use = use;
  }

  /// Adds the GPUs of the newest run.
  ///
  /// @return number of GPUs left out
  static int add(Samples samples, Job job, int top) {
    return job.current()
        .map(RunSummary::aggregates)
        .flatMap(aggregates -> Optional.ofNullable(aggregates.gpus()))
        .map(use -> new GpuSamples(samples, job, use).add(top))
        .orElse(0);
  }

  private int add(int top) {
    all(Metric.GPU_POWER, use.all().powerWatts(), 1);
    all(Metric.GPU_CLOCK, use.all().smClockMHz(), HERTZ);
    all(Metric.GPU_BUSY, use.all().utilizationPercent(), PERCENT);
    all(Metric.GPU_HEAT, use.all().temperatureCelsius(), 1);
    samples.put(
        Metric.GPU_OUTLIERS,
        use.ranks().stream().filter(rank -> farthest(rank) > APART).count(),
        job);
    use.ranks().stream()
        .sorted(
            Comparator.comparingDouble(this::farthest).reversed().thenComparingInt(RankGpu::rank))
        .limit(top)
        .forEach(this::one);
    return Math.max(0, use.ranks().size() - top);
  }

  private void one(RankGpu rank) {
    of(rank, Metric.RANK_GPU_POWER, rank.medians().powerWatts(), 1);
    of(rank, Metric.RANK_GPU_CLOCK, rank.medians().smClockMHz(), HERTZ);
    of(rank, Metric.RANK_GPU_BUSY, rank.medians().utilizationPercent(), PERCENT);
    of(rank, Metric.RANK_GPU_THROTTLED, rank.throttledShare(), 1);
  }

  private void all(Metric metric, @Nullable Double value, double factor) {
    if (value != null) {
      samples.put(metric, value * factor, job);
    }
  }

  private void of(RankGpu rank, Metric metric, @Nullable Double value, double factor) {
    if (value != null) {
      samples.put(
          metric, value * factor, job, Integer.toString(rank.rank()), rank.node(), rank.gpu());
    }
  }

  /// The largest difference from the peers, as a share of the peers' value; at least 1 if the GPU
  /// is throttled.
  private double farthest(RankGpu rank) {
    double far = rank.throttledShare() > 0 ? 1 : 0;
    far = Math.max(far, apart(rank, GpuMedians::powerWatts));
    far = Math.max(far, apart(rank, GpuMedians::smClockMHz));
    return Math.max(far, apart(rank, GpuMedians::utilizationPercent));
  }

  private double apart(RankGpu rank, Function<GpuMedians, @Nullable Double> value) {
    var own = value.apply(rank.medians());
    var peers = value.apply(use.all());
    return own == null || peers == null || peers <= 0 ? 0 : Math.abs(own - peers) / peers;
  }
}
