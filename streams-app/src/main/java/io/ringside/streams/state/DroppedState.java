package io.ringside.streams.state;

import java.util.Map;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.CumulativeCount;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.TaskId;

/// Counts keys of a store whose state could not be read and was dropped.
public final class DroppedState {
  /// Name of the counter among Kafka Streams' metrics.
  public static final String METRIC = "state-dropped-total";

  private DroppedState() {}

  /// Records one key each time it is called.
  public static Sensor sensor(StreamsMetrics metrics, String store, TaskId task) {
    var sensor =
        metrics.addSensor(
            "ringside." + store + "." + task + "." + METRIC, Sensor.RecordingLevel.INFO);
    sensor.add(
        new MetricName(
            METRIC,
            "ringside-state",
            "keys whose state could not be read",
            Map.of("store", store, "task", task.toString())),
        new CumulativeCount());
    return sensor;
  }
}
