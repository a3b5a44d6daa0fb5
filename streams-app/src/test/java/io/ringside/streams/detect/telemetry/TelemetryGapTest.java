package io.ringside.streams.detect.telemetry;

import static io.ringside.schemas.event.FindingKind.TELEMETRY_GAP;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.GpuSensor.State;
import org.junit.jupiter.api.Test;

class TelemetryGapTest {
  @Test
  void tellsLinesThatNeverCame() {
    assertThat(new Watched().line(0).line(500).told(TELEMETRY_GAP))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.nodes()).containsExactly("node-0");
              assertThat(finding.summary()).contains("500 bytes of its logs never came, in 1 gaps");
            });
  }

  @Test
  void tellsLinesThatWaitForLong() {
    assertThat(new Watched().line(0).report(State.OK, 1, 600).line(0).told(TELEMETRY_GAP))
        .singleElement()
        .satisfies(finding -> assertThat(finding.summary()).contains("have waited for 10 min"));
  }

  @Test
  void isNothingWhereLinesTouchAndAreDelivered() {
    assertThat(new Watched().line(0).report(State.OK, 1, 0.2).line(0).told(TELEMETRY_GAP))
        .isEmpty();
  }
}
