package io.ringside.standalone.report;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Severity;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The signs at the left edge, which show the severity at a glance and without colours.
record SeverityMark(String sign, AnsiColour ink) {
  static final SeverityMark HEALTHY = new SeverityMark("✓", AnsiColour.GOOD);

  static SeverityMark of(@Nullable Severity worst) {
    return switch (worst) {
      case null -> HEALTHY;
      case INFO -> new SeverityMark("•", AnsiColour.NOTE);
      case WARNING -> new SeverityMark("▲", AnsiColour.WARN);
      case CRITICAL -> new SeverityMark("✖", AnsiColour.BAD);
    };
  }

  static SeverityMark of(Check.Status status) {
    return switch (status) {
      case PASS -> HEALTHY;
      case FAIL -> new SeverityMark("✗", AnsiColour.BAD);
      case UNKNOWN -> new SeverityMark("?", AnsiColour.DIM);
    };
  }

  static SeverityMark of(Verdict verdict) {
    return switch (verdict.level()) {
      case "ok" -> HEALTHY;
      case "unknown" -> new SeverityMark("?", AnsiColour.STRONG);
      default -> of(Severity.valueOf(verdict.level().toUpperCase(Locale.ROOT)));
    };
  }

  ColouredText span() {
    return new ColouredText(sign + " ", ink);
  }
}
