package io.ringside.standalone.analyze;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.standalone.report.Account;
import io.ringside.standalone.report.InputSummary;
import io.ringside.standalone.report.RankNames;
import java.util.List;

/// What came out of an analysis.
///
/// @param ranks of the processes, as far as they are known
record Analysis(
    InputSummary input, List<RunSummary> runs, List<Finding> findings, RankNames ranks) {
  Analysis {
    runs = List.copyOf(runs);
    findings = List.copyOf(findings);
  }

  /// Of processes whose ranks nobody kept.
  Analysis(InputSummary input, List<RunSummary> runs, List<Finding> findings) {
    this(input, runs, findings, RankNames.NONE);
  }

  /// As every format of the report tells it.
  Account account() {
    return Account.of(input, runs, findings).with(ranks);
  }
}
