package io.ringside.standalone.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.schemas.event.Nanos;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;

/// A folder like `/var/log/pods`, into which a script is played as if it happened now: every line is
/// written when its moment has come, stamped with that moment. Not thread-safe.
final class Stage {
  /// As the kubelet stamps: nanoseconds, UTC.
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /// Lines so close together are written at once.
  private static final Duration TICK = Duration.ofMillis(20);

  private final Path folder;
  private final InstantSource clock;

  Stage(Path folder, InstantSource clock) {
    this.folder = folder;
    this.clock = clock;
  }

  /// What an agent has to watch.
  String glob() {
    return folder + "/*/*/*.log";
  }

  /// Plays to the end, or until nobody wants to see more.
  ///
  /// @param progress hears the share that was played
  void play(Script script, BooleanSupplier enough, DoubleConsumer progress)
      throws IOException, InterruptedException {
    Map<String, OutputStream> files = new HashMap<>();
    try {
      long start = Nanos.of(clock.instant());
      int next = 0;
      while (next < script.lines().size() && !enough.getAsBoolean()) {
        long now = Nanos.of(clock.instant()) - start;
        for (; next < script.lines().size() && script.lines().get(next).nanos() <= now; next++) {
          write(script.lines().get(next), start, files);
        }
        for (OutputStream file : files.values()) {
          file.flush();
        }
        progress.accept(next / (double) script.lines().size());
        Thread.sleep(TICK);
      }
    } finally {
      for (OutputStream file : files.values()) {
        file.close();
      }
    }
  }

  private void write(PlayedLine line, long start, Map<String, OutputStream> files)
      throws IOException {
    var file = files.get(line.folder());
    if (file == null) {
      var container = Files.createDirectories(folder.resolve(line.folder()).resolve("trainer"));
      file = new BufferedOutputStream(Files.newOutputStream(container.resolve("0.log")));
      files.put(line.folder(), file);
    }
    var stamp = STAMP.format(Nanos.instant(start + line.nanos()));
    file.write((stamp + " " + line.text() + "\n").getBytes(UTF_8));
  }
}
