package io.ringside.schemas.event;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One row of a run's pre-flight checklist.
///
/// @param name what is checked, for example `network in use`
/// @param detail the observation, in a few words
/// @param line the raw line that shows it, null if no single line does
public record Check(String name, Status status, String detail, @Nullable Evidence line) {

  /// The detail of a check about which no line says anything.
  public static final String UNSAID = "the log does not say";

  public Check {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(detail, "detail");
  }

  /// Result of a check. Unknown means that no line said either way.
  public enum Status implements LabelledEnum {
    PASS,
    FAIL,
    UNKNOWN
  }
}
