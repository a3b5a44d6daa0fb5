package io.ringside.lab.evaluate;

import io.ringside.schemas.event.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A scorecard as a table for people.
final class ScoreTable {
  private static final String HEAD = "%-30s %6s %6s %6s %10s %7s %6s %6s %6s %8s %8s %8s %8s";
  private static final String ROW = "%-30s %6d %6d %6d %10s %7s %6s %6s %6s %8s %8s %8s %8s";

  private ScoreTable() {}

  static List<String> of(Scorecard card) {
    var lines = new ArrayList<String>();
    lines.add(
        HEAD.formatted(
            "finding",
            "right",
            "missed",
            "wrong",
            "precision",
            "recall",
            "F1",
            "ranks",
            "cause",
            "since±s",
            "until±s",
            "delay50",
            "delay95"));
    card.scores()
        .forEach(
            (row, score) ->
                lines.add(
                    ROW.formatted(
                        row.label(),
                        score.hits(),
                        score.misses(),
                        score.wrong(),
                        share(score.precision()),
                        share(score.recall()),
                        share(score.f1()),
                        share(score.blame()),
                        share(score.cause()),
                        seconds(score.sinceError()),
                        seconds(score.untilError()),
                        seconds(score.delay(0.5)),
                        seconds(score.delay(0.95)))));
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT,
            "%d jobs, %d of them healthy (%.1f GPU-days): %d false alarms above info, %.2f in 500 GPU-days",
            card.trials(),
            card.healthy(),
            card.healthyGpuDays(),
            card.falseAlarms(),
            card.falseAlarmRate()));
    return lines;
  }

  /// The misjudged jobs, false alarms first.
  static List<String> misjudged(Scorecard card) {
    var lines = new ArrayList<String>();
    var sorted = new ArrayList<>(card.misjudged());
    sorted.sort((a, b) -> Integer.compare(b.wrong().size(), a.wrong().size()));
    for (var trial : sorted) {
      lines.add(trial.job());
      for (var finding : trial.wrong()) {
        lines.add(
            "    wrong   "
                + (trial.withdrawn().contains(finding.id()) ? "(withdrawn) " : "")
                + words(finding));
      }
      for (var hit : trial.hits()) {
        var expected = hit.expected();
        if (!hit.found()) {
          lines.add(
              "    missed  %s %s ranks %s since %s %s"
                  .formatted(
                      expected.atLeast().label(),
                      expected.kind().label(),
                      expected.ranks(),
                      expected.since(),
                      expected.hard()));
        } else if (!hit.rightRanks() && hit.finding() != null) {
          lines.add("    blamed  " + words(hit.finding()) + ", truth " + expected.ranks());
        }
      }
    }
    return lines;
  }

  private static String words(Finding finding) {
    var ranks = finding.ranks().toString();
    return "%s %s %s %s..%s %s"
        .formatted(
            finding.severity().label(),
            finding.kind().label(),
            ranks.length() > 60 ? ranks.substring(0, 60) + "…" : ranks,
            finding.since(),
            finding.until(),
            finding.summary().length() > 160
                ? finding.summary().substring(0, 160)
                : finding.summary());
  }

  private static String share(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.3f", value);
  }

  private static String seconds(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.1f", value);
  }
}
