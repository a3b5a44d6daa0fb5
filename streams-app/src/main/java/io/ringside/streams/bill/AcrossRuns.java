package io.ringside.streams.bill;

import io.ringside.streams.bill.Bill.Entry;
import java.util.ArrayList;
import java.util.List;

/// Steps that take longer than in the job's last good run take longer by whatever lasts: what
/// another finding of most of the run costs is a part of that.
final class AcrossRuns {
  private static final double MOST = 0.5;

  private AcrossRuns() {}

  /// @param seconds that the run took
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

  static boolean acrossRuns(Entry entry) {
    return entry.finding().id().endsWith(":last-good-run");
  }
}
