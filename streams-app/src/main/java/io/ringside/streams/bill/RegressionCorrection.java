package io.ringside.streams.bill;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.bill.Bill.Entry;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.ledger.LastGoodRun;
import java.util.ArrayList;
import java.util.List;

/// Corrects findings about steps that take longer than in the job's last good run. Any lasting
/// fault makes such steps longer, so the cost of other findings that hold for most of the run is a
/// part of that cost and is subtracted.
final class RegressionCorrection {
  private static final double MOST = 0.5;

  private RegressionCorrection() {}

  /// @param seconds duration of the run
  static List<Entry> rest(List<Entry> entries, double seconds) {
    double lasting =
        entries.stream()
            .filter(entry -> !acrossRuns(entry))
            .filter(entry -> entry.charge().during().seconds() > MOST * seconds)
            .mapToDouble(entry -> entry.charge().saved().seconds())
            .sum();
    var rest = new ArrayList<Entry>();
    for (var entry : entries) {
      double own = entry.charge().saved().seconds();
      rest.add(
          acrossRuns(entry) && own > 0 && lasting > 0
              ? new Entry(
                  entry.root(),
                  entry.finding(),
                  entry.charge().times(Math.max(0, own - lasting) / own))
              : entry);
    }
    return rest;
  }

  private static boolean acrossRuns(Entry entry) {
    return acrossRuns(entry.finding())
        || entry.finding().kind() == FindingKind.TRANSPORT_REGRESSION;
  }

  /// Whether the finding is about steps that take longer than in the last good run.
  static boolean acrossRuns(Finding finding) {
    return FindingDraft.isAbout(LastGoodRun.SUBJECT, finding);
  }
}
