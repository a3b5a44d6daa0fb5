package io.ringside.shipper.source.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// For how long the machine runs, as the kernel says; a container sees the machine's.
public final class Uptime {
  private static final Path FILE = Path.of("/proc/uptime");

  private Uptime() {}

  /// Zero if it is unknown: what the kernel says then counts as said now.
  public static Duration now() {
    try {
      var seconds = Files.readString(FILE).split("\\s", 2)[0];
      return Duration.ofMillis(Math.round(1e3 * Double.parseDouble(seconds)));
    } catch (IOException | NumberFormatException e) {
      return Duration.ZERO;
    }
  }
}
