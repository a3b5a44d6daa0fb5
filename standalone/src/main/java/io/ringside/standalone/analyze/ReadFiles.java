package io.ringside.standalone.analyze;

import io.ringside.schemas.event.LogSource;
import io.ringside.standalone.input.InputFile;
import io.ringside.standalone.input.Inputs;
import io.ringside.standalone.report.InputSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Collects what was read of each file, and what could not be read. Not thread-safe.
final class ReadFiles {
  private final List<InputSummary.File> read = new ArrayList<>();
  private final List<InputSummary.Skipped> skipped = new ArrayList<>();
  private long logLines;

  /// Reads a file.
  interface Reading {
    /// @return the number of lines, samples or GPUs in the file
    long read() throws IOException;
  }

  /// Starts with the files that were left out before any was read.
  ReadFiles(Inputs inputs) {
    inputs
        .skipped()
        .forEach(file -> skipped.add(new InputSummary.Skipped(file.path(), file.reason())));
  }

  /// Reads a file about a node.
  void file(InputFile file, Reading reading) {
    try {
      long lines = reading.read();
      read.add(
          new InputSummary.File(
              file.name(), file.kind().label(), lines, file.bytes(), file.node(), "", ""));
    } catch (IOException e) {
      failed(file.name(), e);
    }
  }

  void log(InputFile.Part part, LogSource source, long lines) {
    logLines += lines;
    read.add(
        new InputSummary.File(
            part.name(),
            InputFile.Kind.LOG.label(),
            lines,
            part.bytes(),
            source.node(),
            source.pod(),
            source.job()));
  }

  /// Records a file that could not be read completely.
  void failed(String name, IOException failure) {
    skipped.add(new InputSummary.Skipped(name, String.valueOf(failure.getMessage())));
  }

  InputSummary summary() {
    return new InputSummary(read, logLines, null, skipped);
  }
}
