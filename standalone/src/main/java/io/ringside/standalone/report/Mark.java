package io.ringside.standalone.report;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Severity;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The signs at the left edge, which show the severity at a glance and without colours.
record Mark(String sign, Ink ink) {
  static final Mark HEALTHY = new Mark("✓", Ink.GOOD);

  static Mark of(@Nullable Severity worst) {
    return switch (worst) {
      case null -> HEALTHY;
      case INFO -> new Mark("•", Ink.NOTE);
      case WARNING -> new Mark("▲", Ink.WARN);
      case CRITICAL -> new Mark("✖", Ink.BAD);
    };
  }

  static Mark of(Check.Status status) {
    return switch (status) {
      case PASS -> HEALTHY;
      case FAIL -> new Mark("✗", Ink.BAD);
      case UNKNOWN -> new Mark("?", Ink.DIM);
    };
  }

  static Mark of(Verdict verdict) {
    return switch (verdict.level()) {
      case "ok" -> HEALTHY;
      case "unknown" -> new Mark("?", Ink.STRONG);
      default -> of(Severity.valueOf(verdict.level().toUpperCase(Locale.ROOT)));
    };
  }

  Span span() {
    return new Span(sign + " ", ink);
  }
}
