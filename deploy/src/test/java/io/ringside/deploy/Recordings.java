package io.ringside.deploy;

import io.ringside.streams.publish.ViewsUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.zip.GZIPInputStream;

/// Recorded jobs of `examples/recordings`, unpacked.
public final class Recordings {
  private Recordings() {}

  /// Unpacks one recording, its `.gz` files without the ending, with its folders.
  public static void unpack(String name, Path to) throws IOException {
    var from = Repository.path("examples/recordings").resolve(name);
    for (var file : Repository.files(from, ".gz")) {
      var target = to.resolve(from.relativize(file).toString().replaceFirst("\\.gz$", ""));
      Files.createDirectories(target.getParent());
      try (var in = new GZIPInputStream(Files.newInputStream(file))) {
        Files.copy(in, target);
      }
    }
  }

  /// Waits until the condition holds. A service whose stores are moving has no answer yet: that is
  /// waited out as well.
  ///
  /// @throws AssertionError when the time is over
  public static void await(Duration patience, BooleanSupplier condition)
      throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!holds(condition)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + patience);
      }
      Thread.sleep(50);
    }
  }

  private static boolean holds(BooleanSupplier condition) {
    try {
      return condition.getAsBoolean();
    } catch (ViewsUnavailable e) {
      return false;
    }
  }
}
