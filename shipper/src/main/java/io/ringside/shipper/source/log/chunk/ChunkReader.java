package io.ringside.shipper.source.log.chunk;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.shipper.source.log.file.ByteSource;
import io.ringside.shipper.source.log.line.LineCounts;
import java.io.IOException;
import java.time.Instant;
import java.util.function.Predicate;

/// Reads one incarnation of a file from where it stopped and makes chunks of it. The chunks of an
/// epoch are contiguous: each begins at the offset at which the previous one ended. Not
/// thread-safe.
public final class ChunkReader {
  private LogSource source;
  private final long epoch;
  private final LineDecoder decoder;
  private long position;
  private long nextOffset;
  private long nextSequence;

  public ChunkReader(LogSource source, long epoch, ChunkLimits limits, LineCounts counts) {
    this.source = source;
    this.epoch = epoch;
    this.decoder = new LineDecoder(limits, counts);
  }

  /// Continues after a restart. The bytes between `resume` and `shippedTo` were shipped already and
  /// are read only for the beginning of a partial line.
  public void resume(long resume, long shippedTo, long sequence) {
    position = resume;
    nextOffset = shippedTo;
    nextSequence = sequence;
    decoder.emitFrom(shippedTo);
  }

  /// Changes the source and the limits, effective from the next chunk.
  public void change(LogSource freshSource, ChunkLimits freshLimits) {
    source = freshSource;
    decoder.limits(freshLimits);
  }

  /// Offset in the file up to which bytes have been consumed.
  public long position() {
    return position;
  }

  /// End of the last chunk made.
  public long nextOffset() {
    return nextOffset;
  }

  public long nextSequence() {
    return nextSequence;
  }

  /// Offset at which to resume after a restart, once the broker has the last chunk made.
  public long resumeOffset() {
    return decoder.resumeOffset(nextOffset);
  }

  /// Result of a read.
  public enum Found {
    /// The buffer was full or the taker stopped; there is more to read.
    MORE,
    /// Everything written so far has been read, except for an unfinished line.
    END
  }

  /// Reads one buffer and hands on its chunks until the taker returns false.
  ///
  /// @param live whether its lines were written about now
  /// @param taker returns false to stop for now
  public Found read(
      ByteSource bytes,
      Workspace work,
      LineDecoder.Flush flush,
      Instant readAt,
      boolean live,
      Predicate<LogChunk> taker)
      throws IOException {
    work.window.look(bytes, position);
    int start = work.window.from();
    int filled = work.window.to();
    boolean full = work.window.full();
    LineDecoder.Flush atEnd = full ? LineDecoder.Flush.NONE : flush;
    work.chunk.begin(nextOffset);
    int from = start;
    while (from < filled) {
      int used = decode(work, from, filled, atEnd, readAt);
      if (used == 0 && from == start && full) {
        // the limits rule this out, but no file may ever stop the agent
        used = decode(work, from, filled, LineDecoder.Flush.ALL, readAt);
      }
      from += used;
      position += used;
      if (!work.chunk.isEmpty() && !taker.test(build(work, readAt, live, false))) {
        return from == filled && !full ? Found.END : Found.MORE;
      }
      if (used == 0) {
        break;
      }
    }
    return full ? Found.MORE : Found.END;
  }

  private int decode(
      Workspace work, int from, int filled, LineDecoder.Flush flush, Instant readAt) {
    return decoder.decode(
        work.window.bytes(), from, filled, position, flush, Nanos.of(readAt), work.chunk);
  }

  /// An empty chunk that announces the source.
  public LogChunk announcement(Workspace work, Instant readAt) {
    work.chunk.begin(nextOffset);
    return build(work, readAt, false, false);
  }

  /// The last chunk, often empty, with partial lines that were never completed.
  public LogChunk closing(Workspace work, Instant readAt, boolean end) {
    work.chunk.begin(nextOffset);
    decoder.finish(nextOffset, work.chunk);
    return build(work, readAt, false, end);
  }

  private LogChunk build(Workspace work, Instant readAt, boolean live, boolean end) {
    nextOffset = Math.max(nextOffset, position);
    return work.chunk.build(source, epoch, nextSequence++, nextOffset, readAt, live, end);
  }
}
