package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// An enum whose label in the contracts is its name in lower case.
public interface LabelledEnum {
  /// The enum's name.
  String name();

  /// The label in the contracts, such as `job-failed`.
  @JsonValue
  default String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
