package io.ringside.streams.detect.telemetry;

import static io.ringside.schemas.event.FindingKind.SENSOR_STALLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.GpuSensor.State;
import org.junit.jupiter.api.Test;

class SensorStalledTest {
  @Test
  void tellsANodeWhoseSensorGivesNothing() {
    assertThat(
            new WatchedJob()
                .report(State.OK, 1, 0)
                .report(State.STALLED, 11, 0)
                .line(0)
                .told(SENSOR_STALLED))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.nodes()).containsExactly("node-0");
              assertThat(finding.summary()).contains("gave nothing for 11 polls", "its GPU cannot");
            });
  }

  @Test
  void isNothingWhereOnePollIsLate() {
    assertThat(
            new WatchedJob()
                .report(State.OK, 2.5, 0)
                .report(State.OK, 0.5, 0)
                .line(0)
                .told(SENSOR_STALLED))
        .isEmpty();
  }
}
