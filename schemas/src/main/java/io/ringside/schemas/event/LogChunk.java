package io.ringside.schemas.event;

import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;

/// Up to a few hundred consecutive lines of one file: the record of `ringside.logs.v1`.
///
/// The lines are stored in one text, separated by LF, without the container runtime's prefix, so
/// that a chunk is decoded at once and parsers work on ranges of it. Further fields have one entry
/// per line:
///
/// - `offsets`: where the line begins in the file, in bytes after `firstOffset`
/// - `nanos`: the time given by the container runtime, in nanoseconds after `baseNanos` (Unix
///   epoch); empty if the file has no such times
///
/// `cut` lists the indexes of lines that were longer than the agent's limit. (`source`, `epoch`,
/// `sequence`) identifies the chunk: sequences of an epoch count from 0 without gaps, so repeats
/// and losses can be detected. A chunk may have no lines: the first one announces a source, and one
/// with `end` says that nothing more will follow.
///
/// @param epoch identifies one incarnation of the file; grows when the file is replaced or
///     truncated
/// @param sequence 0, 1, 2 … within the epoch
/// @param firstOffset byte offset in the file of the first line
/// @param nextOffset byte offset in the file after the last line, where the agent reads next
/// @param readAt when the agent read it, by the agent's clock
/// @param live whether the lines were written about when they were read; false for a backlog or a
///     recording, for which `readAt` says nothing about when a line was written
/// @param end whether the source ends with this chunk
public record LogChunk(
    LogSource source,
    long epoch,
    long sequence,
    long firstOffset,
    long nextOffset,
    Instant readAt,
    boolean live,
    boolean end,
    Text text,
    int[] offsets,
    long baseNanos,
    long[] nanos,
    int[] cut)
    implements AgentEvent {

  /// Means "no time" for a time given in nanoseconds.
  public static final long NO_TIME = Long.MIN_VALUE;

  public LogChunk {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(readAt, "readAt");
    Objects.requireNonNull(text, "text");
    if (sequence < 0 || firstOffset < 0 || nextOffset < firstOffset) {
      throw new IllegalArgumentException(
          "sequence %d, offsets %d..%d of %s".formatted(sequence, firstOffset, nextOffset, source));
    }
    if (nanos.length != 0 && nanos.length != offsets.length) {
      throw new IllegalArgumentException(
          "%d times for %d lines of %s".formatted(nanos.length, offsets.length, source));
    }
  }

  /// A chunk of one line that was just read and has no time of its own.
  ///
  /// @param from see `firstOffset`
  /// @param to see `nextOffset`
  public static LogChunk ofLine(
      LogSource source,
      long epoch,
      long sequence,
      long from,
      long to,
      Instant readAt,
      String line) {
    return new LogChunk(
        source,
        epoch,
        sequence,
        from,
        to,
        readAt,
        true,
        false,
        Text.of(line),
        new int[] {0},
        0,
        new long[0],
        new int[0]);
  }

  /// The same chunk with another text, which must have as many lines.
  public LogChunk withText(Text other) {
    return new LogChunk(
        source,
        epoch,
        sequence,
        firstOffset,
        nextOffset,
        readAt,
        live,
        end,
        other,
        offsets,
        baseNanos,
        nanos,
        cut);
  }

  /// The same chunk, with a read time no later than the given one, because the agent's clock may be
  /// ahead.
  public LogChunk readNoLaterThan(Instant latest) {
    return !readAt.isAfter(latest)
        ? this
        : new LogChunk(
            source,
            epoch,
            sequence,
            firstOffset,
            nextOffset,
            latest,
            live,
            end,
            text,
            offsets,
            baseNanos,
            nanos,
            cut);
  }

  @Override
  public String node() {
    return source.node();
  }

  /// Number of lines.
  public int lines() {
    return offsets.length;
  }

  /// Unix epoch nanoseconds at which line `index` was written as the container runtime saw it, else
  /// the agent's read time if the chunk is live, else {@link #NO_TIME}.
  public long timeNanos(int index) {
    if (nanos.length != 0) {
      return baseNanos + nanos[index];
    }
    return live ? Nanos.of(readAt) : NO_TIME;
  }

  /// Byte offset in the file of line `index`.
  public long offset(int index) {
    return firstOffset + offsets[index];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LogChunk that
        && source.equals(that.source)
        && epoch == that.epoch
        && sequence == that.sequence
        && firstOffset == that.firstOffset
        && nextOffset == that.nextOffset
        && readAt.equals(that.readAt)
        && live == that.live
        && end == that.end
        && text.equals(that.text)
        && Arrays.equals(offsets, that.offsets)
        && baseNanos == that.baseNanos
        && Arrays.equals(nanos, that.nanos)
        && Arrays.equals(cut, that.cut);
  }

  @Override
  public int hashCode() {
    return Objects.hash(source, epoch, sequence, firstOffset);
  }

  @Override
  public String toString() {
    return "LogChunk[%s epoch %d sequence %d, %d lines from %d]"
        .formatted(source.id(), epoch, sequence, lines(), firstOffset);
  }
}
