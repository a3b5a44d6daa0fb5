package io.ringside.streams.publish;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import java.util.List;

/// The results at one moment.
///
/// @param runs the ledger, in no particular order
/// @param findings active and cleared, in no particular order
/// @param missing what is missing and why, one sentence each; empty if the result is complete
public record ResultsSnapshot(List<RunSummary> runs, List<Finding> findings, List<String> missing) {
  public ResultsSnapshot {
    runs = List.copyOf(runs);
    findings = List.copyOf(findings);
    missing = List.copyOf(missing);
  }
}
