package io.ringside.shipper.config;

import io.ringside.shipper.source.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks every few seconds whether the configuration file says something else. By its content: a
/// ConfigMap is changed by swapping links, and its times say nothing. A file that is wrong is told of
/// once, and what was in force stays.
public final class ConfigWatch implements Source {
  /// Reads the whole configuration anew.
  @FunctionalInterface
  public interface Reading {
    /// @throws BadConfig if something in it is wrong
    /// @throws IOException if it cannot be read
    ShipperConfig read() throws IOException;
  }

  private static final Logger LOGGER = LoggerFactory.getLogger(ConfigWatch.class);

  private final Path file;
  private final Reading reading;
  private final Predicate<ShipperConfig> taker;
  private final Duration interval;
  private final ReloadCounts counts;
  private final LongSupplier ticker;
  private byte @Nullable [] seen;
  private @Nullable Thread thread;
  private volatile boolean stopping;
  private volatile long beat;

  /// @param reading reads this file with what flags and environment add
  /// @param taker puts a configuration in force; false if something in it needs a restart
  public ConfigWatch(
      Path file,
      Reading reading,
      Predicate<ShipperConfig> taker,
      Duration interval,
      ReloadCounts counts,
      LongSupplier ticker) {
    this.file = file;
    this.reading = reading;
    this.taker = taker;
    this.interval = interval;
    this.counts = counts;
    this.ticker = ticker;
    this.beat = ticker.getAsLong();
    this.seen = content();
  }

  @Override
  public void start() {
    thread = Thread.ofPlatform().name("config-watch").daemon().start(this::run);
  }

  private void run() {
    while (!stopping) {
      beat = ticker.getAsLong();
      try {
        Thread.sleep(interval);
        look();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOGGER.atError().setCause(e).log("looking at the configuration failed, going on");
      }
    }
  }

  /// Looks once.
  void look() {
    byte[] now = content();
    if (Arrays.equals(now, seen)) {
      return;
    }
    seen = now;
    try {
      boolean whole = taker.test(reading.read());
      counts.taken.increment();
      counts.stale.set(!whole);
      LOGGER.atInfo().addKeyValue("file", file).log("the configuration changed and is in force");
    } catch (BadConfig | IOException e) {
      counts.refused.increment();
      counts.stale.set(true);
      LOGGER
          .atError()
          .addKeyValue("file", file)
          .addKeyValue("reason", e.getMessage())
          .log("the configuration changed and is wrong, the old one stays in force");
    }
  }

  private byte @Nullable [] content() {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public String name() {
    return "config";
  }

  @Override
  public long lastBeatNanos() {
    return beat;
  }

  @Override
  public void close() {
    stopping = true;
    Source.stop(thread);
  }
}
