package io.ringside.shipper.source.log.follow;

import io.ringside.schemas.event.LogSource;
import io.ringside.shipper.source.log.chunk.ChunkLimits;
import io.ringside.shipper.source.log.chunk.ChunkReader;
import io.ringside.shipper.source.log.file.ByteSource;
import io.ringside.shipper.source.log.file.FileIdentity;
import io.ringside.shipper.source.log.file.GzipBytes;
import io.ringside.shipper.source.log.file.JoinedBytes;
import io.ringside.shipper.source.log.file.OpenedFile;
import io.ringside.shipper.source.log.file.PlainBytes;
import io.ringside.shipper.source.log.line.LineCounts;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The state of one file while it is read, whatever its current path: its identity, how far it was
/// read, and which chunks are in flight. Not thread-safe.
final class Incarnation {
  /// Earlier than any time of the ticker.
  static final long NEVER = Long.MIN_VALUE / 2;

  private LogSource source;
  private final long epoch;
  private ChunkLimits limits;
  private final LineCounts counts;
  private final byte[] head = new byte[FileIdentity.HEAD];
  private @Nullable ByteSource bytes;
  private FileIdentity identity;
  private ChunkReader reader;
  private Deliveries deliveries;
  private long size;

  /// Times on the scale of the tailer's ticker.
  long grownAt;

  long atEndAt = NEVER;
  long supersededAt;

  /// Whether the path leads to another file now, or to none.
  boolean superseded;

  /// Whether nothing more can be read from the file.
  boolean finished;

  boolean barsTried;
  boolean announced;

  /// @param start where to begin; everything before it is safe with the broker
  Incarnation(
      LogSource source,
      long epoch,
      Deliveries.Point start,
      OpenedFile opened,
      ChunkLimits limits,
      LineCounts counts) {
    this.source = source;
    this.epoch = epoch;
    this.identity = opened.identity();
    this.bytes = opened.bytes();
    this.limits = limits;
    this.counts = counts;
    this.deliveries = new Deliveries(start);
    this.reader = readerFrom(start);
    this.announced = start.sequence() > 0;
  }

  /// Changes the source and the limits, effective from the next chunk.
  void change(LogSource freshSource, ChunkLimits freshLimits) {
    source = freshSource;
    limits = freshLimits;
    reader.change(freshSource, freshLimits);
  }

  FileIdentity identity() {
    return identity;
  }

  ChunkReader reader() {
    return reader;
  }

  Deliveries deliveries() {
    return deliveries;
  }

  long size() {
    return size;
  }

  void size(long now, long tick) {
    if (now != size) {
      size = now;
      grownAt = tick;
      barsTried = false;
    }
  }

  /// Records that the path leads to another file now, or to none.
  void supersede(long now) {
    superseded = true;
    supersededAt = now;
  }

  /// The open file. Must not be called after {@link #close}.
  ByteSource bytes() {
    if (bytes == null) {
      throw new IllegalStateException("closed: " + source.id());
    }
    return bytes;
  }

  boolean isOpen() {
    return bytes != null;
  }

  /// Whether the file is compressed, so that its size is not an offset.
  boolean isPacked() {
    return bytes instanceof GzipBytes;
  }

  /// Size of the open file, wherever its path leads; the last known size if it is compressed.
  long openSize() throws IOException {
    return switch (bytes()) {
      case PlainBytes plain -> plain.size();
      case GzipBytes _, JoinedBytes _ -> size;
    };
  }

  /// Whether the open file still begins as before. If so, its fingerprint grows with it.
  boolean stillItself() throws IOException {
    if (!(bytes() instanceof PlainBytes plain)) {
      return true;
    }
    int available = plain.read(head, 0);
    if (!identity.beginsLike(head, available)) {
      return false;
    }
    if (available > identity.length()) {
      identity = FileIdentity.of(identity.key(), head, available);
    }
    return true;
  }

  /// Continues with another file that holds the same bytes: a copy or a compressed copy.
  void continueWith(ByteSource other) throws IOException {
    close();
    bytes = other;
  }

  /// Reads again from the end of the last chunk that is safe.
  void rewind() {
    var from = deliveries.safe();
    deliveries = new Deliveries(from);
    reader = readerFrom(from);
    announced = from.sequence() > 0;
    finished = false;
    barsTried = false;
    atEndAt = NEVER;
  }

  private ChunkReader readerFrom(Deliveries.Point from) {
    var fresh = new ChunkReader(source, epoch, limits, counts);
    fresh.resume(from.resume(), from.offset(), from.sequence());
    return fresh;
  }

  Checkpoints.Entry entry() {
    var safe = deliveries.safe();
    return new Checkpoints.Entry(
        source.file(),
        identity.key(),
        identity.length(),
        identity.fingerprint(),
        epoch,
        safe.resume(),
        safe.offset(),
        safe.sequence(),
        finished && deliveries.settled());
  }

  void close() throws IOException {
    if (bytes != null) {
      bytes.close();
      bytes = null;
    }
  }
}
