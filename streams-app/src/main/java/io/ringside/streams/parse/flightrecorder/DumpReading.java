package io.ringside.streams.parse.flightrecorder;

/// What reading a file of the flight recorder gave.
public sealed interface DumpReading {
  /// A dump.
  record Read(Dump dump) implements DumpReading {}

  /// None that can be used.
  ///
  /// @param rank whose it would be by its name, -1 where that does not say
  /// @param reason why, in words that follow the file's name
  record Refused(String file, int rank, String reason) implements DumpReading {}
}
