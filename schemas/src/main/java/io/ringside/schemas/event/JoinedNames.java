package io.ringside.schemas.event;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Joins names that users choose by `|` into one key. Different names give different keys:
/// separators and line breaks within a name are escaped. Names without such characters stay as they
/// are.
public final class JoinedNames {
  private JoinedNames() {}

  public static String of(String... names) {
    return Stream.of(names).map(JoinedNames::escaped).collect(Collectors.joining("|"));
  }

  private static String escaped(String name) {
    return name.indexOf('|') < 0 && name.indexOf('\\') < 0 && name.indexOf('\n') < 0
        ? name
        : name.replace("\\", "\\\\").replace("|", "\\p").replace("\n", "\\n");
  }
}
