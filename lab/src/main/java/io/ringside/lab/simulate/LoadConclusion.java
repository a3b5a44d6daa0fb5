package io.ringside.lab.simulate;

import io.ringside.lab.figures.Interval;
import io.ringside.lab.figures.TargetCheck;
import io.ringside.streams.examine.DurationWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Whether a service carried a load well: sending kept pace, every fault was found, and soon.
final class LoadConclusion {
  /// Seconds from the line that proves a fault to its finding, for 99 in 100.
  private static final double SOON = 2;

  private static final double SHARE = 0.99;

  /// Seconds by which sending may lag behind in the end.
  private static final double PACE = 1;

  private LoadConclusion() {}

  /// @param behind seconds by which sending was behind in the end
  /// @param seconds from proof to finding, of each fault that was found
  /// @param open faults that were not found
  static String of(double behind, List<Double> seconds, int open) {
    if (behind > PACE) {
      return String.format(
          Locale.ROOT,
          "Not good: sending fell %s behind, so the load was never reached; ask for fewer lines, or give more cores.",
          DurationWords.time(behind));
    }
    if (open > 0) {
      return "Not good: %d of %d faults were never found.".formatted(open, open + seconds.size());
    }
    if (seconds.isEmpty()) {
      return "Not proven: sending kept pace, but no fault was there to be found.";
    }
    int soon = (int) seconds.stream().filter(each -> each <= SOON).count();
    var likely = Interval.ofShare(soon, seconds.size());
    var reached = TargetCheck.atLeast(SHARE, likely);
    var parts = new ArrayList<String>();
    parts.add(
        String.format(
            Locale.ROOT,
            "%s: sending kept pace, and of %d faults %d were found within %.0f s",
            reached.word(),
            seconds.size(),
            soon,
            SOON));
    parts.add(
        String.format(
            Locale.ROOT,
            reached == TargetCheck.OPEN
                ? "so few only tell that between %.3f and %.3f of all are (aim: %.2f)"
                : "between %.3f and %.3f of all are likely (aim: %.2f)",
            likely.from(),
            likely.to(),
            SHARE));
    return String.join("; ", parts) + ".";
  }
}
