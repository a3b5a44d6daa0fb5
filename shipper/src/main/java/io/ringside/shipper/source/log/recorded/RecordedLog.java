package io.ringside.shipper.source.log.recorded;

import io.ringside.schemas.event.LogSource;
import java.nio.file.Path;
import java.util.Objects;

/// A log file that is complete, and where it comes from.
public record RecordedLog(Path file, LogSource source) {
  public RecordedLog {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(source, "source");
  }
}
