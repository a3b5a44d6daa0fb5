package io.ringside.standalone.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.schemas.event.GpuSample;
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
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;

/// A folder like `/var/log/pods` into which a script is played as if it happened now: each line is
/// written when it is due, with the current time as its timestamp, and each GPU sample is handed
/// on. Not thread-safe.
///
/// @param gpus takes the samples of a sampler on this host
record ReplayFolder(Path folder, InstantSource clock, Consumer<GpuSample> gpus) {
  /// The kubelet's timestamp format: nanoseconds, UTC.
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /// Lines due within this time are written together.
  private static final Duration TICK = Duration.ofMillis(20);

  /// The glob for the agent to watch.
  String glob() {
    return folder + "/*/*/*.log";
  }

  /// Plays to the end, or until `enough` returns true.
  ///
  /// @param progress receives the share played so far, 0 to 1
  void play(Script script, BooleanSupplier enough, DoubleConsumer progress)
      throws IOException, InterruptedException {
    Map<String, OutputStream> files = new HashMap<>();
    try {
      long start = Nanos.of(clock.instant());
      int next = 0;
      var scenes = script.scenes();
      while (next < scenes.size() && !enough.getAsBoolean()) {
        long now = Nanos.of(clock.instant()) - start;
        for (; next < scenes.size() && scenes.get(next).nanos() <= now; next++) {
          switch (scenes.get(next)) {
            case PlayedRecord.Line line -> write(line, start, files);
            case PlayedRecord.Gpus(long nanos, GpuSample sample) ->
                gpus.accept(
                    new GpuSample(
                        sample.cluster(),
                        sample.node(),
                        Nanos.instant(start + nanos),
                        sample.gpus()));
          }
        }
        for (OutputStream file : files.values()) {
          file.flush();
        }
        progress.accept(next / (double) scenes.size());
        Thread.sleep(TICK);
      }
    } finally {
      for (OutputStream file : files.values()) {
        file.close();
      }
    }
  }

  private void write(PlayedRecord.Line line, long start, Map<String, OutputStream> files)
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
