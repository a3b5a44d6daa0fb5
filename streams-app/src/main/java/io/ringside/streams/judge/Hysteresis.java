package io.ringside.streams.judge;

import io.ringside.schemas.event.Finding;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What people see of a finding from one judgement to the next: raised and made worse at once,
/// cleared, made milder or taken back only when that has held for a while. A condition that comes
/// and goes faster is one finding that stays. Pure: time and the state before are arguments.
public final class Hysteresis {
  private Hysteresis() {}

  /// What is shown of a finding.
  ///
  /// @param finding null for nothing
  /// @param milderSince since when the judgements say less than what is shown, null if they do not
  public record Shown(@Nullable Finding finding, @Nullable Instant milderSince) {
    /// Nothing was ever said.
    public static final Shown NOTHING = new Shown(null, null);

    /// Whether it will change although no judgement does.
    public boolean pending() {
      return milderSince != null;
    }
  }

  /// What is shown after a judgement.
  ///
  /// @param before what was shown
  /// @param judged what the judgement says, null if it does not claim the finding any more
  /// @param hold how long milder judgements must have held; zero where no other one will come
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

  /// A finding that goes on less severely has news all the same.
  private static Finding held(@Nullable Finding judged, Finding shown) {
    return judged == null || judged.state().over() && !shown.state().over()
        ? shown
        : judged.atSeverity(shown.severity());
  }
}
