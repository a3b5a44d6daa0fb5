package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// A choice whose word in the contracts is its name in small letters.
public interface Labelled {
  /// An enum's.
  String name();

  /// As the contract spells it, `job-failed`.
  @JsonValue
  default String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
