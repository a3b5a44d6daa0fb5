package io.ringside.streams.detect.telemetry;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.NodeReport;
import io.ringside.streams.recorded.Lines;
import io.ringside.streams.recorded.Recorded;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A live job of one rank on node-0 whose agent reports every ten seconds, and what is told of it.
final class WatchedJob {
  private static final long SECONDS = 10;

  private final List<AgentEvent> records = new ArrayList<>();
  private Instant now = Lines.AT;
  private long sequence;
  private long offset;

  WatchedJob() {
    var chunk = Lines.of(0, false, Lines.start(0, 1).toArray(String[]::new));
    records.add(chunk);
    offset = chunk.nextOffset();
  }

  WatchedJob report(GpuSensor.State state, double age, double lagSeconds) {
    now = now.plusSeconds(SECONDS);
    records.add(
        new NodeReport(
            "east",
            "node-0",
            now,
            SECONDS,
            new NodeReport.Agent("0.2", Lines.AT, List.of("logs", "gpu"), List.of()),
            new GpuSensor(state, age, 1, 0, 0, ""),
            new NodeReport.Logs(1, 4096, lagSeconds, 0, 0),
            List.of()));
    return this;
  }

  /// Another line.
  ///
  /// @param lost bytes before it that never came
  WatchedJob line(int lost) {
    now = now.plusSeconds(SECONDS);
    var chunk = Lines.later(0, ++sequence, offset + lost, now, "step " + sequence);
    records.add(chunk);
    offset = chunk.nextOffset();
    return this;
  }

  List<Finding> told(FindingKind kind) {
    return Recorded.judged(records).findings().stream()
        .filter(finding -> finding.kind() == kind)
        .toList();
  }
}
