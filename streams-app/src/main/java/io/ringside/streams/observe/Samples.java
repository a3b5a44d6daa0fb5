package io.ringside.streams.observe;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.ringside.schemas.event.JobKey;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/// Collects the values of one scrape. Of two values with the same labels, the last one is kept.
final class Samples {
  private static final int MAX_LABEL = 200;

  private final Map<Metric, Map<Labels, Double>> values = new EnumMap<>(Metric.class);
  private final Map<Metric, Map<Labels, HistogramDataPointSnapshot>> histograms =
      new EnumMap<>(Metric.class);

  /// @param labels values of all labels of the metric, in its order
  void put(Metric metric, double value, String... labels) {
    values.computeIfAbsent(metric, _ -> new LinkedHashMap<>()).put(labels(metric, labels), value);
  }

  /// @param more values of the labels that follow those of the job
  void put(Metric metric, double value, JobKey job, String... more) {
    put(metric, value, labels(job, more));
  }

  /// Adds a whole distribution.
  ///
  /// @param bounds upper bounds of all classes except the last, ascending
  /// @param counts number of values in each class, one more than bounds
  void put(Metric metric, List<Double> bounds, List<Long> counts, double sum, JobKey job) {
    var upper =
        DoubleStream.concat(
                bounds.stream().mapToDouble(Double::doubleValue),
                DoubleStream.of(Double.POSITIVE_INFINITY))
            .toArray();
    var each = counts.stream().mapToLong(Long::longValue).toArray();
    histograms
        .computeIfAbsent(metric, _ -> new LinkedHashMap<>())
        .put(
            labels(metric, labels(job)),
            HistogramDataPointSnapshot.builder()
                .labels(labels(metric, labels(job)))
                .classicHistogramBuckets(ClassicHistogramBuckets.of(upper, each))
                .sum(sum)
                .build());
  }

  MetricSnapshots snapshots() {
    return new MetricSnapshots(
        Stream.concat(
                values.entrySet().stream().map(it -> snapshot(it.getKey(), it.getValue())),
                histograms.entrySet().stream().map(it -> histogram(it.getKey(), it.getValue())))
            .toList());
  }

  private static MetricSnapshot histogram(
      Metric metric, Map<Labels, HistogramDataPointSnapshot> points) {
    return new HistogramSnapshot(
        new MetricMetadata(metric.metricName(), metric.help()), points.values());
  }

  private static String[] labels(JobKey job, String... more) {
    return Stream.concat(Stream.of(job.cluster(), job.namespace(), job.job()), Stream.of(more))
        .toArray(String[]::new);
  }

  private static Labels labels(Metric metric, String... given) {
    var builder = Labels.builder();
    for (int i = 0; i < metric.labels().size(); i++) {
      builder.label(metric.labels().get(i), shortened(given[i]));
    }
    return builder.build();
  }

  private static String shortened(String value) {
    return value.length() <= MAX_LABEL ? value : value.substring(0, MAX_LABEL - 1) + "…";
  }

  private static MetricSnapshot snapshot(Metric metric, Map<Labels, Double> points) {
    return switch (metric.type()) {
      case GAUGE -> {
        var builder = GaugeSnapshot.builder().name(metric.metricName()).help(metric.help());
        points.forEach(
            (labels, value) ->
                builder.dataPoint(
                    GaugeDataPointSnapshot.builder().labels(labels).value(value).build()));
        yield builder.build();
      }
      case COUNTER -> {
        var builder = CounterSnapshot.builder().name(without("_total", metric)).help(metric.help());
        points.forEach(
            (labels, value) ->
                builder.dataPoint(
                    CounterDataPointSnapshot.builder()
                        .labels(labels)
                        .value(Math.max(0, value))
                        .build()));
        yield builder.build();
      }
      case HISTOGRAM -> throw new IllegalArgumentException(metric + " is a distribution");
      case INFO -> {
        var builder = InfoSnapshot.builder().name(without("_info", metric)).help(metric.help());
        points
            .keySet()
            .forEach(
                labels ->
                    builder.dataPoint(InfoDataPointSnapshot.builder().labels(labels).build()));
        yield builder.build();
      }
    };
  }

  private static String without(String suffix, Metric metric) {
    var name = metric.metricName();
    return name.substring(0, name.length() - suffix.length());
  }
}
