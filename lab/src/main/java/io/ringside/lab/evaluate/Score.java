package io.ringside.lab.evaluate;

import io.ringside.schemas.event.FindingKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// How well one kind of finding is told. Grows by one trial after the other; not thread-safe.
final class Score {
  private int hits;
  private int misses;
  private int wrong;
  private int rightRanks;
  private int ranksKnown;
  private int rightCauses;
  private int causesKnown;
  private final List<Double> sinceErrors = new ArrayList<>();
  private final List<Double> untilErrors = new ArrayList<>();
  private final List<Double> delays = new ArrayList<>();

  void add(Trial.Hit hit) {
    var finding = hit.finding();
    if (finding == null) {
      misses++;
      return;
    }
    hits++;
    var expected = hit.expected();
    if (!expected.ranks().isEmpty()) {
      ranksKnown++;
      rightRanks += hit.rightRanks() ? 1 : 0;
    }
    if (!expected.cause().isEmpty()) {
      causesKnown++;
      boolean throttled = finding.kind() == FindingKind.GPU_THROTTLED;
      rightCauses += throttled || expected.cause().equals(finding.cause()) ? 1 : 0;
    }
    if (expected.since() != null && finding.since() != null) {
      sinceErrors.add(seconds(Duration.between(expected.since(), finding.since())));
    }
    if (expected.until() != null && finding.until() != null) {
      untilErrors.add(seconds(Duration.between(expected.until(), finding.until())));
    }
    if (hit.delay() != null) {
      delays.add(seconds(hit.delay()));
    }
  }

  void addWrong() {
    wrong++;
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  int hits() {
    return hits;
  }

  int misses() {
    return misses;
  }

  int wrong() {
    return wrong;
  }

  /// NaN where nothing was found.
  double precision() {
    return hits / (double) (hits + wrong);
  }

  /// NaN where nothing was to be found.
  double recall() {
    return hits / (double) (hits + misses);
  }

  double f1() {
    return 2.0 * hits / (2.0 * hits + wrong + misses);
  }

  /// Share of the found ones whose ranks are right, NaN where the truth names none.
  double blame() {
    return rightRanks / (double) ranksKnown;
  }

  /// Share of the found ones whose cause is right, NaN where the truth names none.
  double cause() {
    return rightCauses / (double) causesKnown;
  }

  /// Median of the absolute errors, seconds.
  double sinceError() {
    return quantile(sinceErrors, 0.5);
  }

  double untilError() {
    return quantile(untilErrors, 0.5);
  }

  /// Seconds from proof to finding below which this share lies.
  double delay(double share) {
    return quantile(delays, share);
  }

  private static double quantile(List<Double> values, double share) {
    if (values.isEmpty()) {
      return Double.NaN;
    }
    var sorted = values.stream().map(Math::abs).sorted().toList();
    return sorted.get((int) Math.round(share * (sorted.size() - 1)));
  }
}
