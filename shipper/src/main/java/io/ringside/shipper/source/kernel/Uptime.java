package io.ringside.shipper.source.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// The machine's uptime according to the kernel. A container sees the machine's, too.
public final class Uptime {
  private static final Path FILE = Path.of("/proc/uptime");

  private Uptime() {}

  /// The uptime, zero if unknown; then all kernel log lines seem to be written now.
  public static Duration now() {
    try {
      var seconds = Files.readString(FILE).split("\\s", 2)[0];
      return Duration.ofMillis(Math.round(1e3 * Double.parseDouble(seconds)));
    } catch (IOException | NumberFormatException e) {
      return Duration.ZERO;
    }
  }
}
