package io.ringside.shipper.config;

import io.ringside.platform.config.InvalidConfig;
import io.ringside.shipper.source.LoopingSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Checks every few seconds whether the configuration file has changed. It compares the content: a
/// ConfigMap is changed by swapping links, so file times are no help. An invalid file is logged
/// once, and the old configuration stays in force.
public final class ConfigWatch extends LoopingSource {
  private static final Logger LOGGER = LoggerFactory.getLogger(ConfigWatch.class);

  private final Path file;
  private final Supplier<ShipperConfig> reading;
  private final Predicate<ShipperConfig> taker;
  private final Duration interval;
  private final ReloadCounts counts;
  private byte @Nullable [] seen;

  /// @param reading reads the file, together with flags and environment
  /// @param taker puts a configuration in force; returns false if part of it needs a restart
  public ConfigWatch(
      Path file,
      Supplier<ShipperConfig> reading,
      Predicate<ShipperConfig> taker,
      Duration interval,
      ReloadCounts counts,
      LongSupplier ticker) {
    super("config", ticker);
    this.file = file;
    this.reading = reading;
    this.taker = taker;
    this.interval = interval;
    this.counts = counts;
    this.seen = content();
  }

  @Override
  protected void round() {
    look();
  }

  @Override
  protected Duration rest() {
    return interval;
  }

  /// Checks the file once.
  void look() {
    byte[] now = content();
    if (Arrays.equals(now, seen)) {
      return;
    }
    seen = now;
    try {
      boolean whole = taker.test(reading.get());
      counts.taken.increment();
      counts.stale.set(!whole);
      LOGGER.atInfo().addKeyValue("file", file).log("the configuration changed and is in force");
    } catch (InvalidConfig e) {
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
}
