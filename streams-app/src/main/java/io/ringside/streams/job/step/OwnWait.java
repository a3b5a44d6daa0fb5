package io.ringside.streams.job.step;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.parse.event.DeepSpeedEvent;
import java.util.ArrayList;
import java.util.List;

/// How long one rank waited for others, by DeepSpeed's communication logger. Read from the table
/// "with straggler effect": the printing rank's own latency minus the least of all ranks, summed
/// over all calls so far.
///
/// Only the latencies printed as "straggler" are read, which every version computes alike; the
/// latencies and bandwidths of single operations (`comm op: …`) are not, since 0.18.3 to 0.19.5 add
/// them up.
public final class OwnWait {
  private static final int MAX_LINES = 4;

  private boolean inTable;
  private String op = "";
  private double waitSeconds;
  private double commSeconds;
  private double longest;
  private final List<Evidence> lines = new ArrayList<>();

  OwnWait() {}

  void note(DeepSpeedEvent event, Evidence line) {
    switch (event) {
      case DeepSpeedEvent.SummaryTable table -> {
        inTable = table.straggler();
        if (inTable) {
          waitSeconds = 0;
          commSeconds = 0;
          longest = 0;
          lines.clear();
          lines.add(line);
        }
      }
      case DeepSpeedEvent.SummaryOp next -> op = next.op();
      case DeepSpeedEvent.SummaryRow row -> {
        if (inTable && !op.equals("log_summary_barrier")) {
          commSeconds += row.totalMillis() / 1000;
          waitSeconds += row.second() / 1000;
          if (row.second() > longest) {
            longest = row.second();
            lines.add(line);
            if (lines.size() > MAX_LINES) {
              lines.remove(1);
            }
          }
        }
      }
      case DeepSpeedEvent.WallClock _,
          DeepSpeedEvent.Throughput _,
          DeepSpeedEvent.Step _,
          DeepSpeedEvent.PipelineStep _,
          DeepSpeedEvent.LaunchedExit _ -> {}
    }
  }

  /// How long the printing rank waited for others, in seconds.
  public double waitSeconds() {
    return waitSeconds;
  }

  /// How long its communication took apart from that, in seconds.
  public double commSeconds() {
    return commSeconds;
  }

  /// The table's heading and its rows with the longest waits.
  public List<Evidence> lines() {
    return List.copyOf(lines);
  }
}
