package io.ringside.lab.lives;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.HashMap;
import java.util.Map;

/// All counters of a scrape, to be compared with those of the one before.
record Counters(Map<String, Double> bySeries) {
  static Counters of(MetricSnapshots scrape) {
    var values = new HashMap<String, Double>();
    for (var metric : scrape) {
      var name = metric.getMetadata().getName();
      switch (metric) {
        case CounterSnapshot counter ->
            counter.getDataPoints().forEach(at -> values.put(name + at.getLabels(), at.getValue()));
        case HistogramSnapshot histogram ->
            histogram
                .getDataPoints()
                .forEach(
                    at -> {
                      values.put(name + "_sum" + at.getLabels(), at.getSum());
                      long count = 0;
                      for (var bucket : at.getClassicBuckets()) {
                        count += bucket.getCount();
                        values.put(name + bucket.getUpperBound() + at.getLabels(), (double) count);
                      }
                    });
        default -> {}
      }
    }
    return new Counters(values);
  }

  /// The series that have fallen since, with both values.
  Map<String, String> fallenUntil(Counters later) {
    var fallen = new HashMap<String, String>();
    bySeries.forEach(
        (series, before) -> {
          var now = later.bySeries.get(series);
          if (now != null && now < before) {
            fallen.put(series, before + " to " + now);
          }
        });
    return fallen;
  }
}
