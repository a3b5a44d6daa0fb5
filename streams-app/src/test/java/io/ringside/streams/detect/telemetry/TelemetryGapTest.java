package io.ringside.streams.detect.telemetry;

import static io.ringside.schemas.event.FindingKind.TELEMETRY_GAP;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.GpuSensor.State;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.GroupedLines;
import io.ringside.streams.recorded.Recorded;
import java.util.List;
import org.junit.jupiter.api.Test;

class TelemetryGapTest {
  @Test
  void tellsLinesThatNeverCame() {
    assertThat(new WatchedJob().line(0).line(500).told(TELEMETRY_GAP))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.nodes()).containsExactly("node-0");
              assertThat(finding.summary()).contains("500 bytes of its logs never came, in 1 gaps");
            });
  }

  @Test
  void tellsLinesThatWaitForLong() {
    assertThat(new WatchedJob().line(0).report(State.OK, 1, 600).line(0).told(TELEMETRY_GAP))
        .singleElement()
        .satisfies(finding -> assertThat(finding.summary()).contains("have waited for 10 min"));
  }

  @Test
  void isNothingWhereLinesTouchAndAreDelivered() {
    assertThat(new WatchedJob().line(0).report(State.OK, 1, 0.2).line(0).told(TELEMETRY_GAP))
        .isEmpty();
  }

  @Test
  void tellsASavedLogThatEndsWhileItsRanksGoOn() {
    assertThat(told(2_600, 0.15, 100, "AllReduce"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.ranks()).containsExactly(2, 3);
              assertThat(finding.summary()).startsWith("the log of ranks 2, 3 ends 6 min");
            });
  }

  @Test
  void isNothingWhereLogsWereSavedOneAfterTheOther() {
    assertThat(told(2_600, 0.05, 100, "AllReduce")).isEmpty(); // two minutes later
  }

  @Test
  void isNothingWhereOthersMayHaveGoneOnAlone() {
    assertThat(told(1_000, 3, 100, "AllReduce")).isEmpty(); // what they enqueued waits
    assertThat(told(2_600, 0.15, 2_590, "AllReduce")).isEmpty();
  }

  @Test
  void isNothingWhereRanksOnlyTellOfTheirStart() {
    assertThat(told(2_600, 0.15, 0, "AllReduce")).isEmpty();
  }

  /// What is told of two hosts of two ranks each, of which the second one's log ends early.
  ///
  /// @param until the number of its last call
  private static List<Finding> told(int calls, double apart, int until, String operation) {
    var lines = new GroupedLines("rack1-%02d", 2, true);
    for (int rank = 0; rank < 4; rank++) {
      lines.init(rank, "world", rank, 4);
      for (int call = 0; call < (rank < 2 ? calls : until); call++) {
        lines.call(rank, "world", 2 + apart * call + 0.001 * rank, operation, 0, 4);
      }
    }
    return Recorded.of(
            lines.byTime().stream()
                .collect(
                    groupingBy(
                        line -> line.contains("rack1-00") ? "x-node-0-0.log" : "x-node-0-1.log")))
        .judged()
        .findings()
        .stream()
        .filter(finding -> finding.kind() == TELEMETRY_GAP)
        .toList();
  }
}
