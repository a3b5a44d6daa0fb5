package io.ringside.lab.simulate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/// What a job is made of, for people: `slow rank (rank 3, seconds 0.1)` instead of Java's own
/// words.
final class JobDescription {
  private JobDescription() {}

  static String of(Object value) {
    return switch (value) {
      case Record record -> record(record);
      case Enum<?> constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      case Collection<?> all ->
          all.stream().map(JobDescription::of).collect(Collectors.joining(", "));
      case Double number -> String.format(Locale.ROOT, "%.3f", number).replaceFirst("\\.?0+$", "");
      default -> value.toString();
    };
  }

  private static String record(Record record) {
    var parts = new ArrayList<String>();
    try {
      for (var component : record.getClass().getRecordComponents()) {
        parts.add(spaced(component.getName()) + " " + of(component.getAccessor().invoke(record)));
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    var name = spaced(record.getClass().getSimpleName());
    return parts.isEmpty() ? name : name + " (" + String.join(", ", parts) + ")";
  }

  /// `SlowRank` and `slowRank` become `slow rank`.
  private static String spaced(String name) {
    return name.replaceAll("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ")
        .toLowerCase(Locale.ROOT);
  }
}
