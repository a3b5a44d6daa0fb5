package io.ringside.lab.evaluate;

import io.ringside.lab.simulate.Truth.Expected;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.Severity;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/// Whether a finding of the right kind says what is true.
enum Rightness {
  RIGHT,
  WRONG_SEVERITY,
  WRONG_RANKS,
  /// It shares half of the time or less with what it is about, or tells no time where there is one.
  WRONG_TIME;

  /// The shorter it is, the less a few seconds of one side or the other say.
  private static final Duration GRACE = Duration.ofSeconds(10);

  static Rightness of(Finding finding, Expected expected) {
    if (!severity(finding.severity(), expected.atLeast())) {
      return WRONG_SEVERITY;
    }
    if (!expected.ranks().isEmpty() && !expected.ranks().equals(Set.copyOf(finding.ranks()))) {
      return WRONG_RANKS;
    }
    var from = expected.since();
    var to = expected.until();
    return from == null || to == null || overlaps(from, to, finding) ? RIGHT : WRONG_TIME;
  }

  /// What is info by the contract must be no more; the rest may be graver than it must be.
  private static boolean severity(Severity told, Severity atLeast) {
    return atLeast == Severity.INFO ? told == Severity.INFO : told.compareTo(atLeast) >= 0;
  }

  private static boolean overlaps(Instant from, Instant to, Finding finding) {
    var since = finding.since();
    if (since == null) {
      return false;
    }
    var until = finding.until() == null ? latest(to, since) : finding.until();
    var both = Duration.between(latest(from, since), earliest(to, until)).plus(GRACE);
    var either = Duration.between(earliest(from, since), latest(to, until));
    return both.multipliedBy(2).compareTo(either) > 0;
  }

  private static Instant latest(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  private static Instant earliest(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  String label() {
    return switch (this) {
      case RIGHT -> "right";
      case WRONG_SEVERITY -> "wrong severity";
      case WRONG_RANKS -> "wrong ranks";
      case WRONG_TIME -> "wrong time";
    };
  }
}
