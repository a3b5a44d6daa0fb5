package io.ringside.lab.evaluate;

import io.ringside.lab.figures.Interval;
import io.ringside.schemas.event.Finding;
import io.ringside.streams.examine.RankText;
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
        "%-30s %6s %6s %6s %23s %23s %6s %6s"
            .formatted(
                "all rows", "right", "missed", "wrong", "precision", "recall", "ranks", "cause"));
    card.kinds().forEach((kind, score) -> lines.add(whole(kind.label(), score)));
    lines.add(whole("everything", card.all()));
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT,
            "%d jobs, %d of them healthy (%.1f GPU-days): %d false alarms above info in %d healthy jobs, %.2f in 500 GPU-days (95 %%: %s)",
            card.trials(),
            card.healthy(),
            card.healthyGpuDays(),
            card.falseAlarms(),
            card.alarmedJobs(),
            card.falseAlarmRate(),
            Interval.ofCount(card.falseAlarms()).times(500 / card.healthyGpuDays()).words(1)));
    return lines;
  }

  private static String whole(String label, Score score) {
    return "%-30s %6d %6d %6d %23s %23s %6s %6s"
        .formatted(
            label,
            score.hits(),
            score.misses(),
            score.wrong(),
            share(score.precision()) + of(score.hits(), score.hits() + score.wrong()),
            share(score.recall()) + of(score.hits(), score.hits() + score.misses()),
            share(score.blame()),
            share(score.cause()));
  }

  private static String of(int hits, int all) {
    return all == 0 ? "" : " (" + Interval.ofShare(hits, all).words(2) + ")";
  }

  /// The misjudged jobs, false alarms first.
  static List<String> misjudged(Scorecard card) {
    var lines = new ArrayList<String>();
    var sorted = new ArrayList<>(card.misjudged());
    sorted.sort((a, b) -> Integer.compare(b.wrong().size(), a.wrong().size()));
    for (var trial : sorted) {
      lines.add(trial.job());
      if (!trial.crash().isEmpty()) {
        lines.add("    crashed " + trial.crash());
      }
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
              "    missed  %s %s of %s, %s %s"
                  .formatted(
                      expected.atLeast().label(),
                      expected.kind().label(),
                      shortened(RankText.words(expected.ranks())),
                      expected.since() + " to " + expected.until(),
                      expected.hard() + (hit.near().isEmpty() ? "" : "; said " + hit.near())));
        }
      }
    }
    return lines;
  }

  private static String words(Finding finding) {
    return "%s %s of %s, %s to %s: %s"
        .formatted(
            finding.severity().label(),
            finding.kind().label(),
            shortened(RankText.words(finding.ranks())),
            finding.since(),
            finding.until() == null ? "its end" : finding.until(),
            finding.summary().length() > 160
                ? finding.summary().substring(0, 160)
                : finding.summary());
  }

  private static String shortened(String ranks) {
    return ranks.length() > 60 ? ranks.substring(0, 60) + "…" : ranks;
  }

  private static String share(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.3f", value);
  }

  private static String seconds(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.1f", value);
  }
}
