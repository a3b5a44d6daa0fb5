package io.ringside.lab.lives;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// The gauges that alerts about jobs and nodes ask for, and how many records agents sent, as a
/// Prometheus that scrapes every 15 seconds has them, for promtool.
final class Series {
  static final Duration SCRAPED = Duration.ofSeconds(15);
  private static final List<String> ASKED =
      List.of(
          "ringside_findings_",
          "ringside_job_running",
          "ringside_job_ranks_",
          "ringside_job_state",
          "ringside_node_suspect");

  private final Map<String, Map<Integer, Double>> values = new TreeMap<>();
  private final Map<String, Long> records = new TreeMap<>();
  private int next;

  /// An instance read a record of a topic.
  void read(String topic) {
    records.merge(topic, 1L, Long::sum);
  }

  /// Whether Prometheus scrapes now.
  boolean due(Duration sinceBegin) {
    return sinceBegin.dividedBy(SCRAPED) >= next;
  }

  void note(Duration sinceBegin, List<MetricSnapshots> scrapes) {
    int slot = Math.toIntExact(sinceBegin.dividedBy(SCRAPED));
    next = slot + 1;
    records.forEach(
        (topic, number) ->
            values
                .computeIfAbsent(
                    "ringside_streams_records_total{topic=\"" + topic + "\"}", _ -> new TreeMap<>())
                .put(slot, number.doubleValue()));
    for (var metric : scrapes.stream().flatMap(MetricSnapshots::stream).toList()) {
      var name = metric.getMetadata().getName();
      if (metric instanceof GaugeSnapshot gauge && ASKED.stream().anyMatch(name::startsWith)) {
        for (var at : gauge.getDataPoints()) {
          var labels = new ArrayList<String>();
          at.getLabels()
              .forEach(label -> labels.add(label.getName() + "=\"" + label.getValue() + "\""));
          values
              .computeIfAbsent(name + "{" + String.join(",", labels) + "}", _ -> new TreeMap<>())
              .put(slot, at.getValue());
        }
      }
    }
  }

  /// Lines of `input_series`; a series that a scrape does not show any more is stale at once.
  List<String> promtool() {
    var lines = new ArrayList<String>();
    values.forEach(
        (name, bySlot) -> {
          var samples = new ArrayList<String>();
          for (int slot = 0; slot < next; slot++) {
            var value = bySlot.get(slot);
            boolean gone = value == null && bySlot.containsKey(slot - 1);
            samples.add(
                value != null ? String.format(Locale.ROOT, "%.3f", value) : gone ? "stale" : "_");
          }
          lines.add("{series: '%s', values: '%s'}".formatted(name, String.join(" ", samples)));
        });
    return lines;
  }
}
