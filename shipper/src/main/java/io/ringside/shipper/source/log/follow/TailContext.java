package io.ringside.shipper.source.log.follow;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.shipper.source.log.chunk.Workspace;
import io.ringside.shipper.source.log.find.Roots;
import io.ringside.shipper.source.log.line.LineCounts;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// State shared by the tails of all files. Only the tailer's thread uses it, except for counters
/// and budget.
final class TailContext {
  private final Function<LogChunk, CompletableFuture<Void>> outlet;
  private final ByteBudget budget;
  private final LineCounts lines;
  private final TailCounts files;
  private final InstantSource clock;
  private final LongSupplier ticker;
  private TailSettings settings;
  private Function<Path, LogSource> sources;
  private Workspace work;
  private long lastEpoch;

  /// @param ticker nanoseconds that never jump, as {@link System#nanoTime}
  TailContext(
      TailSettings settings,
      Function<Path, LogSource> sources,
      Function<LogChunk, CompletableFuture<Void>> outlet,
      ByteBudget budget,
      LineCounts lines,
      TailCounts files,
      InstantSource clock,
      LongSupplier ticker) {
    this.settings = settings;
    this.sources = sources;
    this.outlet = outlet;
    this.budget = budget;
    this.lines = lines;
    this.files = files;
    this.clock = clock;
    this.ticker = ticker;
    this.work = new Workspace(settings.limits(), lines);
  }

  /// Puts these settings in force. The caller passes new limits on to the tails.
  void change(TailSettings newSettings, Function<Path, LogSource> newSources) {
    if (!newSettings.limits().equals(settings.limits())) {
      work = new Workspace(newSettings.limits(), lines);
    }
    settings = newSettings;
    sources = newSources;
  }

  /// The epoch for a file never read before: about the time at which it was found, and greater than
  /// every earlier epoch. A clock may jump back, but readers rely on the order.
  long nextEpoch() {
    lastEpoch = Math.max(lastEpoch + 1, clock.millis());
    return lastEpoch;
  }

  /// Marks epochs up to this one as used.
  void epochsUpTo(long epoch) {
    lastEpoch = Math.max(lastEpoch, epoch);
  }

  long lastEpoch() {
    return lastEpoch;
  }

  TailSettings settings() {
    return settings;
  }

  /// The folders in which files are read.
  Roots roots() {
    return settings.roots();
  }

  Function<Path, LogSource> sources() {
    return sources;
  }

  Function<LogChunk, CompletableFuture<Void>> outlet() {
    return outlet;
  }

  ByteBudget budget() {
    return budget;
  }

  LineCounts lines() {
    return lines;
  }

  TailCounts files() {
    return files;
  }

  Workspace work() {
    return work;
  }

  InstantSource clock() {
    return clock;
  }

  LongSupplier ticker() {
    return ticker;
  }
}
