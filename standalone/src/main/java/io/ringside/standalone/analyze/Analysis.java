package io.ringside.standalone.analyze;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import io.ringside.standalone.report.Account;
import io.ringside.standalone.report.InputSummary;
import java.util.List;

/// What came out of an analysis.
record Analysis(InputSummary input, List<RunSummary> runs, List<Finding> findings) {
  Analysis {
    runs = List.copyOf(runs);
    findings = List.copyOf(findings);
  }

  /// As every format of the report tells it.
  Account account() {
    return Account.of(input, runs, findings);
  }

  /// Whether a part of Ringside itself failed: what it would have found is missing.
  boolean failed() {
    return runs.stream().anyMatch(RunSummary::failed);
  }

  /// Whether any finding, over or not, is at least so bad.
  boolean reaches(Severity severity) {
    return findings.stream().anyMatch(finding -> finding.severity().compareTo(severity) >= 0);
  }
}
