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
///            ⋮  (waiting)         truncate: same file, begins anew; its copy, if any, is read out
///            oldest ──► chunks    delete: read to the end, then the source ends
/// ```
///
/// {@link PathWatch} adds files to the {@link Chain}, {@link ChainShipper} takes them off. Not
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

  /// @param known what the last run remembered of this path
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

  /// Takes over what is in force now.
  void change() {
    chain.change();
    nextLook = Long.MIN_VALUE;
  }

  /// The files that the path led to.
  Chain chain() {
    return chain;
  }

  /// Nothing is left to read and the path leads nowhere.
  boolean isOver() {
    return chain.isEmpty() && !Files.exists(path);
  }

  /// When it should be looked at next, by the ticker.
  long nextLook() {
    return nextLook;
  }

  /// Looks which file is at the path, and says whether a new one is. It is read only after that was
  /// remembered, or a crash would make a third of it.
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

  /// Ships what there is, and says whether there is more at once.
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
      // of whatever kind: other files are read on
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

  /// A file is looked at less often the longer it has been quiet.
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
