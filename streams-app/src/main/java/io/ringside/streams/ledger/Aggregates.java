package io.ringside.streams.ledger;

import io.ringside.schemas.event.RunAggregates;
import io.ringside.schemas.event.RunAggregates.WaitHistogram;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.TimingTrust;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import io.ringside.streams.waits.WaitSpread;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Computes a run's aggregates over time and over its ranks.
public final class Aggregates {
  private Aggregates() {}

  /// All data that is published for charts.
  public static RunAggregates of(Examination examination) {
    var run = examination.run();
    var trusted = trusted(examination);
    return new RunAggregates(
        gpuSecondsLost(trusted),
        WaitTimelines.of(run, trusted),
        StepTimelines.of(run, examination.expectations().thresholds().steps()),
        GpuUses.of(run),
        Matrices.of(examination),
        histogram(examination));
  }

  /// Current values of what detectors need, with the rest as last drawn.
  public static RunAggregates of(Examination examination, RunAggregates drawn) {
    return new RunAggregates(
        gpuSecondsLost(trusted(examination)),
        drawn.waits(),
        StepTimelines.of(examination.run(), examination.expectations().thresholds().steps()),
        drawn.gpus(),
        drawn.matrix(),
        drawn.waitHistogram());
  }

  /// Median and 99th percentile of the waits in seconds, by global rank, for ranks that have them.
  public static Map<Integer, Quantiles> waits(Examination examination) {
    var counts = counts(examination);
    var quantiles = new TreeMap<Integer, Quantiles>();
    counts.forEach(
        (rank, of) -> {
          double median = WaitSpread.quantile(of, 0.5);
          if (!Double.isNaN(median)) {
            quantiles.put(rank, new Quantiles(median, WaitSpread.quantile(of, 0.99)));
          }
        });
    return quantiles;
  }

  /// Two quantiles of waits, in seconds; null if unknown.
  public record Quantiles(@Nullable Double median, @Nullable Double p99) {
    /// No waits are kept.
    public static final Quantiles NONE = new Quantiles(null, null);
  }

  private static TreeMap<Integer, long[]> counts(Examination examination) {
    var counts = new TreeMap<Integer, long[]>();
    for (var comm : trusted(examination)) {
      count(examination.run(), comm, counts);
    }
    return counts;
  }

  private static @Nullable WaitHistogram histogram(Examination examination) {
    return counts(examination).values().stream()
        .reduce(Aggregates::sum)
        .map(WaitSpread::classes)
        .orElse(null);
  }

  private static void count(Run run, Communicator comm, Map<Integer, long[]> counts) {
    run.members(comm)
        .forEach(
            (rank, process) -> {
              var own = comm.waits().series().spread().of(rank);
              if (own.length > 0) {
                counts.merge(run.rank(process), own, Aggregates::sum);
              }
            });
  }

  private static long[] sum(long[] a, long[] b) {
    for (int step = 0; step < a.length; step++) {
      a[step] += b[step];
    }
    return a;
  }

  private static List<Communicator> trusted(Examination examination) {
    return examination.run().communicators().stream()
        .filter(comm -> TimingTrust.trusted(comm.rounds(), examination))
        .toList();
  }

  private static double gpuSecondsLost(List<Communicator> trusted) {
    return trusted.stream()
        .mapToDouble(comm -> comm.waits().lostSeconds() * (comm.nranks() - 1))
        .sum();
  }
}
