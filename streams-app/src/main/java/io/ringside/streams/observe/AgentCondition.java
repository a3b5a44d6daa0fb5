package io.ringside.streams.observe;

import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.LabelledEnum;
import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.node.Heartbeat;
import java.time.Duration;
import java.time.Instant;

/// Condition of an agent; if it has several troubles, the worst one, which is the last in this
/// list. The limits are those of the findings `sensor-stalled` and `telemetry-gap`, which jobs on
/// the node get.
enum AgentCondition implements LabelledEnum {
  OK,
  /// nvidia-smi hangs, exits, or misses polls.
  SENSOR,
  /// Its lines wait for delivery.
  BEHIND,
  /// One of its loops is stuck.
  STUCK,
  /// It sends no reports.
  SILENT;

  static AgentCondition of(Heartbeat last, Instant now, Thresholds.Telemetry limit) {
    if (silence(last, now).compareTo(longest(last, limit)) >= 0) {
      return SILENT;
    }
    if (!last.stuck().isEmpty()) {
      return STUCK;
    }
    if (last.lagSeconds() * 1000 >= limit.behind().toMillis()) {
      return BEHIND;
    }
    return stalled(last.sensor(), limit.missedPolls()) ? SENSOR : OK;
  }

  /// Time since its last report; never negative, even if clocks differ.
  static Duration silence(Heartbeat last, Instant now) {
    var silence = Duration.between(last.heardAt(), now);
    return silence.isNegative() ? Duration.ZERO : silence;
  }

  private static Duration longest(Heartbeat last, Thresholds.Telemetry limit) {
    var reports =
        Duration.ofMillis(Math.round(limit.missedReports() * last.intervalSeconds() * 1000));
    return reports.compareTo(limit.absent()) > 0 ? reports : limit.absent();
  }

  private static boolean stalled(GpuSensor sensor, int missedPolls) {
    return switch (sensor.state()) {
      case STALLED, FAILING -> true;
      case OK -> {
        var age = sensor.ageSeconds();
        yield age != null
            && sensor.intervalSeconds() > 0
            && age >= missedPolls * sensor.intervalSeconds();
      }
      case STARTING, MISSING, OFF -> false;
    };
  }
}
