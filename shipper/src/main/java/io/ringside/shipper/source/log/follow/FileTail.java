package io.ringside.shipper.source.log.follow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows one path.
///
/// ```text
///   path ──► newest file          rename: the path leads elsewhere, the old file stays open
///            ⋮  (waiting)         truncate: same file, starts over; a copy is read to the end
///            oldest ──► chunks    delete: read to the end, then the source ends
/// ```
///
/// {@link PathWatch} adds files to the {@link Chain}, {@link ChainShipper} removes them. Not
/// thread-safe.
final class FileTail {
  private static final Logger LOGGER = LoggerFactory.getLogger(FileTail.class);

  private final Path path;
  private final TailContext context;
  private final Chain chain;
  private final PathWatch watch;
  private final ChainShipper shipper;
  private long nextLook = Long.MIN_VALUE;
  private boolean lookFailed;
  private boolean readFailed;

  /// @param known entries of this path remembered from the last run
  FileTail(Path path, TailContext context, List<Checkpoints.Entry> known) {
    this.path = path;
    this.context = context;
    this.chain = new Chain(path, context, known);
    this.watch = new PathWatch(chain, context);
    this.shipper = new ChainShipper(chain, watch, context);
    var unfinished = known.stream().filter(entry -> !entry.done()).toList();
    if (!unfinished.isEmpty()) {
      watch.resume(unfinished, context.ticker().getAsLong());
    }
  }

  /// Applies changed settings.
  void change() {
    chain.change();
    nextLook = Long.MIN_VALUE;
  }

  /// The files that the path has led to.
  Chain chain() {
    return chain;
  }

  /// Whether nothing is left to read and there is no file at the path.
  boolean isOver() {
    return chain.isEmpty() && !Files.exists(path);
  }

  /// Time of the ticker at which to look at the path next.
  long nextLook() {
    return nextLook;
  }

  /// Checks which file is at the path. Returns whether it is a new one, which must be remembered
  /// before it is read: after a crash it would otherwise be taken for yet another file.
  ///
  /// @param bornAfter the ticker's time at which the path was known not to exist, else
  ///     {@link Incarnation#NEVER}
  boolean look(long now, long bornAfter) {
    int before = chain.size();
    Incarnation newestBefore = chain.newest();
    try {
      watch.look(now);
      lookFailed = false;
    } catch (IOException | RuntimeException e) {
      failed(e, now, lookFailed);
      lookFailed = true;
    }
    Incarnation newest = chain.newest();
    if (before == 0 && newest != null) {
      newest.atEndAt = bornAfter;
    }
    return newest != null && !newest.equals(newestBefore);
  }

  /// Ships what is available. Returns true if there is more to read at once.
  boolean read(long now) {
    nextLook = now;
    try {
      if (shipper.ship(now)) {
        return true;
      }
      readFailed = false;
      if (!context.budget().spent()) {
        nextLook = now + pause(now);
      }
    } catch (IOException | RuntimeException e) {
      // whatever failed, other files are still read
      failed(e, now, readFailed);
      readFailed = true;
    }
    return false;
  }

  private void failed(Exception e, long now, boolean reported) {
    context.files().readFailures.increment();
    nextLook = now + context.settings().scan().toNanos();
    if (!reported) {
      LOGGER
          .atWarn()
          .addKeyValue("file", path)
          .addKeyValue("reason", e.toString())
          .log("cannot read log file, trying again");
    }
  }

  /// Pause until the next look; it grows with the time the file has been quiet.
  private long pause(long now) {
    long poll = context.settings().poll().toNanos();
    Incarnation oldest = chain.oldest();
    if (oldest == null || chain.size() > 1) {
      return poll;
    }
    return Math.max(poll, Math.min(10 * poll, (now - oldest.grownAt) / 10));
  }

  void close() {
    try {
      chain.close();
    } catch (IOException e) {
      LOGGER.atDebug().addKeyValue("file", path).setCause(e).log("cannot close log file");
    }
  }
}
