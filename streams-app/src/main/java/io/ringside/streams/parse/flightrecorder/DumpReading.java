package io.ringside.streams.parse.flightrecorder;

/// Result of reading a file of the flight recorder.
public sealed interface DumpReading {
  /// The file is a dump.
  record Read(Dump dump) implements DumpReading {}

  /// The file cannot be used.
  ///
  /// @param rank rank in the file's name, -1 if the name gives none
  /// @param reason the reason, in words that follow the file's name
  record Refused(String file, int rank, String reason) implements DumpReading {}
}
