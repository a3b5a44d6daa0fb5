package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// How much a finding matters, in rising order.
public enum Severity {
  INFO,
  WARNING,
  CRITICAL;

  /// As the contract spells it: `info`, `warning`, `critical`.
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
