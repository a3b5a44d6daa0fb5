package io.ringside.shipper.source.log.recorded;

import io.ringside.schemas.event.LogSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/// A log that is complete, and where it comes from.
///
/// @param parts what rotation made of it, oldest first; one file where it was never rotated
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

  /// The newest part, by whose name the log goes.
  public Path file() {
    return parts.getLast();
  }
}
