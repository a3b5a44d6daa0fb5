package io.ringside.standalone.analyze;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.standalone.report.InputSummary;
import io.ringside.standalone.report.ReportContent;
import java.util.List;

/// The result of an analysis.
record Analysis(InputSummary input, List<RunSummary> runs, List<Finding> findings) {
  Analysis {
    runs = List.copyOf(runs);
    findings = List.copyOf(findings);
  }

  /// The account that every report format shows.
  ReportContent account() {
    return ReportContent.of(input, runs, findings);
  }
}
