package io.ringside.lab.evaluate;

import io.ringside.lab.simulate.Truth;
import io.ringside.lab.simulate.Truth.Expected;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What is true of the recordings in a folder: its file
/// `truth.tsv`, a line for each finding that must come, `folder kind severity ranks since
/// until`, with `-` for what is not said.
final class RecordedTruth {
  private static final String FILE = "truth.tsv";

  private RecordedTruth() {}

  /// By folder, in the order of the file.
  ///
  /// @throws IOException if the file cannot be read, or says which line makes no sense
  static Map<Path, Truth> in(Path folder) throws IOException {
    var expected = new LinkedHashMap<Path, List<Expected>>();
    for (var line : Files.readAllLines(folder.resolve(FILE))) {
      if (!line.isBlank() && !line.startsWith("#")) {
        var fields = line.split("\\s+", -1);
        if (fields.length != 6) {
          throw new IOException("%s: not six fields: %s".formatted(folder.resolve(FILE), line));
        }
        var of = expected.computeIfAbsent(folder.resolve(fields[0]), _ -> new ArrayList<>());
        if (!fields[1].equals("-")) {
          of.add(
              new Expected(
                  kind(fields[1]),
                  Severity.valueOf(fields[2].toUpperCase(Locale.ROOT)),
                  ranks(fields[3]),
                  "",
                  time(fields[4]),
                  time(fields[5]),
                  null,
                  ""));
        }
      }
    }
    var truths = new LinkedHashMap<Path, Truth>();
    expected.forEach((path, of) -> truths.put(path, new Truth(of, Set.of(), 0)));
    return truths;
  }

  private static FindingKind kind(String label) {
    return FindingKind.valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  private static Set<Integer> ranks(String list) {
    return list.equals("-")
        ? Set.of()
        : Arrays.stream(list.split(",")).map(Integer::valueOf).collect(Collectors.toSet());
  }

  private static @Nullable Instant time(String text) {
    return text.equals("-") ? null : Instant.parse(text);
  }
}
