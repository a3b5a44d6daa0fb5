package io.ringside.lab.fleet;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Clocks that processes are shown instead of this machine's, by libfaketime (Debian's package
/// `faketime`).
final class Clock {
  private static final List<Path> LIBRARIES =
      List.of(
          Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
          Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
          Path.of("/usr/lib/faketime/libfaketimeMT.so.1"));

  private Clock() {}

  /// Whether it can be had.
  static boolean canBeFaked() {
    return library().isPresent();
  }

  /// The environment of a process whose clock is off; how long things take it measures as all
  /// others do.
  ///
  /// @param offset as libfaketime reads it: `+1h`
  static Map<String, String> off(String offset) {
    return Map.of(
        "LD_PRELOAD",
        library().orElseThrow().toString(),
        "FAKETIME",
        offset,
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        // or it takes the times until which the JVM waits for ones of the other clock, and nothing
        // waits
        "FAKETIME_FORCE_MONOTONIC_FIX",
        "0");
  }

  private static Optional<Path> library() {
    return LIBRARIES.stream().filter(Files::exists).findFirst();
  }
}
