package io.ringside.shipper.source.log.follow;

import io.ringside.schemas.event.LogChunk;
import io.ringside.shipper.source.log.chunk.ChunkReader;
import io.ringside.shipper.source.log.chunk.LineDecoder;
import io.ringside.shipper.source.log.file.ByteSource;
import io.ringside.shipper.source.log.find.Siblings;
import java.io.IOException;
import java.time.Duration;

/// Reads the oldest file of a chain and hands on its chunks. Continues with the next file once this
/// one is read to the end, its writer has moved on, and the broker has everything. Not thread-safe.
final class ChainShipper {
  /// Time that a writer gets to reopen its log after a rotation.
  private static final long REOPEN_NANOS = Duration.ofSeconds(5).toNanos();

  /// Time after a replacement at which the old file is finished, once the new file has content. The
  /// old file must be quiet as well, see {@link #QUIET_NANOS}.
  private static final long OVERLAP_NANOS = Duration.ofMillis(500).toNanos();

  /// Time without growth after which the old file counts as quiet.
  private static final long QUIET_NANOS = Duration.ofMillis(100).toNanos();

  /// Time without a redraw after which a progress bar is shipped as it is.
  private static final long BAR_NANOS = Duration.ofSeconds(1).toNanos();

  /// Lines found after the end of the file count as live if the end was last seen at most this long
  /// ago.
  private static final long LIVE_NANOS = Duration.ofMillis(1500).toNanos();

  private static final long FIRST_RETRY_NANOS = Duration.ofMillis(500).toNanos();
  private static final long LAST_RETRY_NANOS = Duration.ofSeconds(30).toNanos();

  /// Buffers read from one file per round, so that a large backlog does not delay other files.
  private static final int BUFFERS_A_ROUND = 4;

  private final Chain chain;
  private final PathWatch watch;
  private final TailContext context;

  /// After a refusal, when to try again and how long to wait after the next refusal.
  private long retryAt = Long.MIN_VALUE;

  private long retryPause = FIRST_RETRY_NANOS;

  ChainShipper(Chain chain, PathWatch watch, TailContext context) {
    this.chain = chain;
    this.watch = watch;
    this.context = context;
  }

  /// Ships what is available. Returns true if there is more to read at once.
  boolean ship(long now) throws IOException {
    for (Incarnation file = chain.oldest(); file != null; file = chain.oldest()) {
      if (now < retryAt) {
        return false;
      }
      if (file.deliveries().failed()) {
        rewind(file);
        retryAt = now + retryPause;
        retryPause = Math.min(2 * retryPause, LAST_RETRY_NANOS);
        return false;
      }
      if (file.deliveries().settled()) {
        retryPause = FIRST_RETRY_NANOS;
      }
      if (!file.finished) {
        announce(file);
        if (readOn(file, now)) {
          return true;
        }
        if (!isThrough(file, now)) {
          return false;
        }
        finish(file);
      }
      if (!file.deliveries().settled() || file.deliveries().failed()) {
        return false;
      }
      chain.oldestIsDone();
    }
    return false;
  }

  private void announce(Incarnation file) {
    if (!file.announced) {
      file.announced = true;
      send(file, file.reader().announcement(context.work(), context.clock().instant()));
    }
  }

  /// Reads up to the end, the budget, or this round's share. Returns true if there is more to read
  /// at once.
  private boolean readOn(Incarnation file, long now) throws IOException {
    boolean packed = file.isPacked();
    if (file.superseded && !packed) {
      file.size(file.openSize(), now);
    }
    if (!packed && file.size() <= file.reader().position()) {
      file.atEndAt = now;
      return false;
    }
    boolean barsDue = now - file.grownAt >= BAR_NANOS && !file.barsTried;
    boolean grown = file.grownAt > file.atEndAt || file.atEndAt == Incarnation.NEVER;
    if (!barsDue && !grown) {
      file.atEndAt = now;
      return false;
    }
    file.barsTried |= barsDue;
    boolean live = now - file.atEndAt <= LIVE_NANOS;
    for (int i = 0; i < BUFFERS_A_ROUND; i++) {
      if (context.budget().spent() || file.deliveries().failed()) {
        return false;
      }
      long before = file.reader().position();
      var found =
          file.reader()
              .read(
                  file.bytes(),
                  context.work(),
                  barsDue ? LineDecoder.Flush.BARS : LineDecoder.Flush.NONE,
                  context.clock().instant(),
                  live,
                  chunk -> send(file, chunk));
      context.files().bytes.add(file.reader().position() - before);
      if (found == ChunkReader.Found.END) {
        file.atEndAt = now;
        return false;
      }
    }
    return true;
  }

  /// Whether an old file is finished: it is read to the end and quiet, and its writer has begun the
  /// next file or had time to.
  private boolean isThrough(Incarnation file, long now) {
    if (context.budget().spent() || file.atEndAt != now) {
      return false;
    }
    if (!file.superseded) {
      return file.isPacked();
    }
    long replaced = now - file.supersededAt;
    long quiet = now - file.grownAt;
    return chain.hasMoreAfter(file)
        ? replaced >= OVERLAP_NANOS && quiet >= QUIET_NANOS
        : replaced >= REOPEN_NANOS && quiet >= REOPEN_NANOS;
  }

  /// Ships the last line without a line end, and marks the end if the source ends.
  private void finish(Incarnation file) throws IOException {
    var now = context.clock().instant();
    ChunkReader.Found found;
    do {
      found =
          file.reader()
              .read(
                  file.bytes(),
                  context.work(),
                  LineDecoder.Flush.ALL,
                  now,
                  false,
                  chunk -> {
                    send(file, chunk);
                    return true;
                  });
    } while (found == ChunkReader.Found.MORE);
    boolean ends = chain.size() == 1 && (!file.superseded || watch.leadsNowhere());
    var last = file.reader().closing(context.work(), now, ends);
    if (ends || last.lines() > 0) {
      send(file, last);
    }
    file.finished = true;
  }

  /// Reads again from the end of the last chunk that is safe.
  private void rewind(Incarnation file) throws IOException {
    context.files().rewinds.increment();
    long sent = file.reader().nextOffset();
    file.rewind();
    if (ByteSource.isGzip(chain.path())) {
      file.continueWith(ByteSource.openUnlinked(context.roots().file(chain.path())));
    } else if (!file.isOpen() || file.isPacked()) {
      var copy = Siblings.of(chain.path(), context.roots()).findCopy(file.identity());
      if (copy.isPresent()) {
        file.continueWith(copy.get().opened().bytes());
      } else {
        context.files().bytesLeftBehind.add(sent - file.reader().nextOffset());
        file.finished = true;
      }
    }
  }

  /// Hands on a chunk. Returns false if no other should follow now.
  private boolean send(Incarnation file, LogChunk chunk) {
    var reader = file.reader();
    var deliveries = file.deliveries();
    var sent =
        deliveries.sent(
            new Deliveries.Point(
                reader.resumeOffset(), reader.nextOffset(), reader.nextSequence()));
    long cost = cost(chunk);
    context.budget().take(cost);
    context.files().chunks.increment();
    try {
      var _ =
          context
              .outlet()
              .apply(chunk)
              .whenComplete(
                  (_, failure) -> {
                    deliveries.answered(sent, failure == null);
                    context.budget().giveBack(cost);
                  });
    } catch (RuntimeException e) {
      deliveries.answered(sent, false);
      context.budget().giveBack(cost);
    }
    return !context.budget().spent() && !deliveries.failed();
  }

  /// Approximate memory that a chunk takes until it is acknowledged, in bytes.
  private static long cost(LogChunk chunk) {
    return 500L + chunk.text().length() + 16L * chunk.lines();
  }
}
