package io.ringside.lab.evaluate;

import io.ringside.schemas.event.FindingKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The scores of all kinds over many trials. Not thread-safe.
final class Scorecard {
  private final Map<Row, Score> scores = new TreeMap<>();
  private final List<Trial> misjudged = new ArrayList<>();
  private int trials;
  private int healthy;
  private double healthyGpuDays;
  private int falseAlarms;
  private Duration longestJudging = Duration.ZERO;

  /// A row of the table; what is hard to find has one of its own.
  ///
  /// @param hard what makes it hard, empty if nothing does
  record Row(FindingKind kind, String hard) implements Comparable<Row> {
    @Override
    public int compareTo(Row other) {
      int byKind = kind.compareTo(other.kind);
      return byKind != 0 ? byKind : hard.compareTo(other.hard);
    }

    String label() {
      return kind.label() + (hard.isEmpty() ? "" : " (" + hard + ")");
    }
  }

  void add(Trial trial) {
    trials++;
    for (var hit : trial.hits()) {
      score(new Row(hit.expected().kind(), hit.expected().hard())).add(hit);
    }
    trial.wrong().forEach(finding -> score(new Row(finding.kind(), "")).addWrong());
    if (trial.healthyGpuDays() > 0) {
      healthy++;
      healthyGpuDays += trial.healthyGpuDays();
      falseAlarms += trial.wrong().size();
    }
    if (!trial.wrong().isEmpty()
        || trial.hits().stream().anyMatch(hit -> !hit.found() || !hit.rightRanks())) {
      misjudged.add(trial);
    }
    if (trial.judging().compareTo(longestJudging) > 0) {
      longestJudging = trial.judging();
    }
  }

  private Score score(Row row) {
    return scores.computeIfAbsent(row, _ -> new Score());
  }

  Map<Row, Score> scores() {
    return scores;
  }

  /// The score of one row, empty if nothing of it came up.
  Score of(FindingKind kind, String hard) {
    return scores.getOrDefault(new Row(kind, hard), new Score());
  }

  List<Trial> misjudged() {
    return misjudged;
  }

  int trials() {
    return trials;
  }

  int healthy() {
    return healthy;
  }

  double healthyGpuDays() {
    return healthyGpuDays;
  }

  int falseAlarms() {
    return falseAlarms;
  }

  /// False alarms of healthy jobs for each 500 GPU-days, NaN without healthy jobs.
  double falseAlarmRate() {
    return 500 * falseAlarms / healthyGpuDays;
  }

  Duration longestJudging() {
    return longestJudging;
  }
}
