package io.ringside.standalone.up;

import io.ringside.shipper.source.log.find.LogFiles;
import java.util.List;
import java.util.Optional;

/// Counts the files that match. If none do, the shell may have expanded a glob, or a path may
/// belong to another machine. Not thread-safe.
final class MatchingFiles {
  private final List<String> globs;
  private final LogFiles files;
  private int count;

  MatchingFiles(List<String> globs, LogFiles files) {
    this.globs = List.copyOf(globs);
    this.files = files;
    this.count = files.list().size();
  }

  /// The message at the start.
  String now() {
    return "Watching %s: %s"
        .formatted(
            String.join(" ", globs),
            switch (count) {
              case 0 -> "no file matches now; what appears later is read";
              case 1 -> "1 file now, and what appears later";
              default -> count + " files now, and what appears later";
            });
  }

  /// Counts again; a message if the number has changed.
  Optional<String> change() {
    int before = count;
    count = files.list().size();
    if (count == before) {
      return Optional.empty();
    }
    return Optional.of(
        switch (count) {
          case 0 -> "No file matches any more; what appears later is read";
          case 1 -> "1 file matches now";
          default -> count + " files match now";
        });
  }
}
