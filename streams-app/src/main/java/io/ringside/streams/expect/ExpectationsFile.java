package io.ringside.streams.expect;

import io.ringside.platform.config.ConfigFile;
import io.ringside.platform.config.InvalidConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The expectations in force: the built-in ones with a user's file over them. The file is read
/// again when its content changes. A file that cannot be used changes nothing; the log names it and
/// the reason.
///
/// The content is compared, not the file's time: Kubernetes swaps a link when a ConfigMap changes,
/// so the times of its files show nothing. Thread-safe.
public final class ExpectationsFile implements Supplier<Expectations>, AutoCloseable {
  /// Time between two looks at the file.
  public static final Duration POLL = Duration.ofSeconds(5);

  private final @Nullable Path file;
  private final InstantSource clock;
  private final @Nullable ScheduledExecutorService poller;
  private volatile Status status;

  /// The expectations in force, and since when.
  ///
  /// @param refused why the current file cannot be used, null if it is in force
  /// @param applied number of changes of the file that were applied since the start
  /// @param refusals number of changes that were refused
  public record Status(
      Expectations expectations,
      Instant since,
      @Nullable String refused,
      long applied,
      long refusals) {}

  private ExpectationsFile(
      @Nullable Path file, InstantSource clock, @Nullable ScheduledExecutorService poller) {
    this.file = file;
    this.clock = clock;
    this.poller = poller;
    this.seen = file == null ? "" : ConfigFile.text(file);
    this.status = new Status(read(seen), clock.instant(), null, 0, 0);
  }

  /// The content at the last look, null if the file could not be read. Owned by the poller.
  private @Nullable String seen;

  /// Reads the file and checks it periodically.
  ///
  /// @param file null for the built-in expectations alone
  /// @throws InvalidConfig if the file cannot be used at the start
  public static ExpectationsFile watched(@Nullable Path file, Duration poll, InstantSource clock) {
    if (file == null) {
      return new ExpectationsFile(null, clock, null);
    }
    var poller =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("expectations").daemon().factory());
    try {
      var watched = new ExpectationsFile(file, clock, poller);
      poller.scheduleWithFixedDelay(
          watched::look, poll.toMillis(), poll.toMillis(), TimeUnit.MILLISECONDS);
      return watched;
    } catch (InvalidConfig e) {
      poller.shutdownNow();
      throw e;
    }
  }

  /// Reads the file once.
  ///
  /// @throws InvalidConfig if it cannot be used
  public static Expectations once(@Nullable Path file) {
    return file == null
        ? Expectations.builtIn()
        : ExpectationsReader.read(ConfigFile.text(file), file.toString());
  }

  @Override
  public Expectations get() {
    return status.expectations();
  }

  /// The expectations in force, and the result of the file's last change.
  public Status status() {
    return status;
  }

  /// Checks the file once. Never throws: a scheduled task that throws is never run again.
  private void look() {
    String content = null;
    try {
      content = ConfigFile.text(java.util.Objects.requireNonNull(file));
      if (content.equals(seen)) {
        return;
      }
      var expectations = read(content);
      var before = status;
      status =
          new Status(expectations, clock.instant(), null, before.applied() + 1, before.refusals());
      logger()
          .atInfo()
          .addKeyValue("file", file)
          .log("expectations changed, the new ones are in force");
    } catch (InvalidConfig e) {
      refuse(String.valueOf(e.getMessage()), content);
    } catch (RuntimeException e) {
      logger()
          .atError()
          .setCause(e)
          .addKeyValue("file", file)
          .log("expectations were not looked at");
    }
    seen = content;
  }

  private void refuse(String reason, @Nullable String content) {
    var before = status;
    if (content == null && reason.equals(before.refused())) {
      return; // still unreadable
    }
    status =
        new Status(
            before.expectations(), before.since(), reason, before.applied(), before.refusals() + 1);
    logger()
        .atError()
        .addKeyValue("file", file)
        .addKeyValue("reason", reason)
        .log("expectations refused, the old ones stay in force");
  }

  /// Created only when something is logged, so that a caller that reads a file once need not set up
  /// logging.
  private static Logger logger() {
    return LoggerFactory.getLogger(ExpectationsFile.class);
  }

  private Expectations read(String content) {
    return ExpectationsReader.read(
        content, file == null ? "built-in expectations" : file.toString());
  }

  @Override
  public void close() {
    if (poller != null) {
      poller.shutdownNow();
    }
  }
}
