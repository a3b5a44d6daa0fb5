package io.ringside.lab.evaluate;

import io.ringside.schemas.event.FindingKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The scores of all kinds over many trials. Not thread-safe.
final class Scorecard {
  private final Map<Row, Score> scores = new TreeMap<>();
  private final List<Trial> misjudged = new ArrayList<>();
  private int trials;
  private int crashes;
  private int healthy;
  private double healthyGpuDays;
  private int falseAlarms;
  private int alarmedJobs;

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
    crashes += trial.crash().isEmpty() ? 0 : 1;
    for (var hit : trial.hits()) {
      score(new Row(hit.expected().kind(), hit.expected().hard())).add(hit);
    }
    trial.wrong().forEach(finding -> score(new Row(finding.kind(), "")).addWrong());
    if (trial.healthyGpuDays() > 0) {
      healthy++;
      healthyGpuDays += trial.healthyGpuDays();
      falseAlarms += trial.wrong().size();
      alarmedJobs += trial.wrong().isEmpty() ? 0 : 1;
    }
    if (!trial.wrong().isEmpty()
        || !trial.crash().isEmpty()
        || trial.hits().stream().anyMatch(hit -> !hit.found())) {
      misjudged.add(trial);
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

  /// The scores of each kind over all its rows, hard ones included.
  Map<FindingKind, Score> kinds() {
    var kinds = new TreeMap<FindingKind, Score>();
    scores.forEach((row, score) -> kinds.computeIfAbsent(row.kind(), _ -> new Score()).add(score));
    return kinds;
  }

  /// All findings above and at info, of all kinds together.
  Score all() {
    var all = new Score();
    scores.values().forEach(all::add);
    return all;
  }

  List<Trial> misjudged() {
    return misjudged;
  }

  /// Jobs that the judge gave up on.
  int crashes() {
    return crashes;
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

  /// Healthy jobs that raised one at least.
  int alarmedJobs() {
    return alarmedJobs;
  }
}
