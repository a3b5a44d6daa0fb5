package io.ringside.streams.judge;

import io.ringside.schemas.event.Finding;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Decides what is shown of a finding from one judgement to the next. A finding is raised or made
/// worse at once; it is cleared, made milder or removed only when that has held for a while. A
/// condition that comes and goes faster is one lasting finding. Pure: time and previous state are
/// arguments.
public final class Hysteresis {
  private Hysteresis() {}

  /// What is shown of a finding.
  ///
  /// @param finding null if nothing is shown
  /// @param milderSince time since when judgements have been milder than what is shown, null if
  ///   they are not
  public record Shown(@Nullable Finding finding, @Nullable Instant milderSince) {
    /// The state before the first judgement.
    public static final Shown NOTHING = new Shown(null, null);

    /// Whether what is shown will change although the judgements do not.
    public boolean pending() {
      return milderSince != null;
    }
  }

  /// What is shown after a judgement.
  ///
  /// @param before what was shown
  /// @param judged the judgement's finding, null if it no longer reports one
  /// @param hold how long milder judgements must have held; zero if no further judgement will come
  public static Shown next(Shown before, @Nullable Finding judged, Instant now, Duration hold) {
    var known = before.finding();
    if (known == null) {
      return new Shown(judged, null);
    }
    var dated = judged == null ? null : judged.detectedAt(known.detectedAt());
    if (dated != null && !milder(dated, known)) {
      return new Shown(dated, null);
    }
    var since = before.milderSince() == null ? now : before.milderSince();
    if (Duration.between(since, now).compareTo(hold) >= 0) {
      return new Shown(dated, null);
    }
    return new Shown(held(dated, known), since);
  }

  private static boolean milder(Finding judged, Finding shown) {
    boolean over = judged.state().over();
    return over && !shown.state().over()
        || over == shown.state().over() && judged.severity().compareTo(shown.severity()) < 0;
  }

  /// The finding to show while a milder one is held back: it keeps its severity, but takes over
  /// other news.
  private static Finding held(@Nullable Finding judged, Finding shown) {
    return judged == null || judged.state().over() && !shown.state().over()
        ? shown
        : judged.atSeverity(shown.severity());
  }
}
