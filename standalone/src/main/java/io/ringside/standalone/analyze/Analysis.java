package io.ringside.standalone.analyze;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
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
}
