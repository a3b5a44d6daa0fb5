package io.ringside.shipper.source.log.recorded;

import io.ringside.schemas.event.LogSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/// A complete log and its source.
///
/// @param parts the files into which rotation split the log, oldest first; one file if it was never
///     rotated
public record RecordedLog(List<Path> parts, LogSource source) {
  public RecordedLog {
    parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a log has one part at least");
    }
    Objects.requireNonNull(source, "source");
  }

  /// A log that was never rotated.
  public RecordedLog(Path file, LogSource source) {
    this(List.of(file), source);
  }

  /// The newest part, whose name stands for the log.
  public Path file() {
    return parts.getLast();
  }
}
