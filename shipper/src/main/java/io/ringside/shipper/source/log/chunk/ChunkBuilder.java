package io.ringside.shipper.source.log.chunk;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Text;
import io.ringside.shipper.source.log.line.LineCounts;
import io.ringside.shipper.source.log.line.Utf8;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/// Collects the bytes of lines into a {@link LogChunk}, with one copy and one decoding for a few
/// hundred lines. Reused from chunk to chunk and from file to file. Not thread-safe.
final class ChunkBuilder {
  /// Limit of a chunk's extent in the file, in bytes. Offsets within a chunk are ints, but the
  /// bytes skipped between two lines may be many.
  private static final long LONGEST_SPAN = 1L << 30;

  private final ChunkLimits limits;
  private final LineCounts counts;
  private byte[] text;
  private int length;
  private int[] offsets;
  private long[] nanos;
  private int lines;
  private boolean stamped;
  private int[] cut = new int[4];
  private int cuts;
  private long firstOffset;

  ChunkBuilder(ChunkLimits limits, LineCounts counts) {
    this.limits = limits;
    this.counts = counts;
    text = new byte[limits.textBytes() + limits.lineBytes() + 1];
    offsets = new int[limits.lines() + 1];
    nanos = new long[limits.lines() + 1];
  }

  /// Starts a chunk that covers the file from this offset.
  void begin(long offset) {
    firstOffset = offset;
    length = 0;
    lines = 0;
    cuts = 0;
    stamped = false;
  }

  boolean isEmpty() {
    return lines == 0;
  }

  /// Whether the chunk should be built before a line at this offset is added.
  boolean isFull(long offset) {
    return lines >= limits.lines()
        || length >= limits.textBytes()
        || offset - firstOffset >= LONGEST_SPAN;
  }

  /// Adds the line `[from, to)`. A line of a container's log may come in several pieces at one
  /// offset, so there may be more lines than the limit.
  void add(byte[] bytes, int from, int to, long offset, long time, boolean isCut) {
    if (lines == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * lines);
      nanos = Arrays.copyOf(nanos, 2 * lines);
    }
    int size = to - from;
    if (length + size + 1 > text.length) {
      text = Arrays.copyOf(text, Math.max(2 * text.length, length + size + 1));
    }
    if (lines > 0) {
      text[length++] = '\n';
    }
    System.arraycopy(bytes, from, text, length, size);
    length += size;
    offsets[lines] = (int) (offset - firstOffset);
    nanos[lines] = time;
    stamped |= time != LogChunk.NO_TIME;
    if (isCut) {
      if (cuts == cut.length) {
        cut = Arrays.copyOf(cut, 2 * cuts);
      }
      cut[cuts++] = lines;
      counts.cut.increment();
    }
    lines++;
  }

  /// Builds the chunk of the lines so far; the next chunk begins at `nextOffset`.
  LogChunk build(
      LogSource source,
      long epoch,
      long sequence,
      long nextOffset,
      Instant readAt,
      boolean live,
      boolean end) {
    counts.lines.add(lines);
    long base = stamped ? relate() : 0;
    var chunk =
        new LogChunk(
            source,
            epoch,
            sequence,
            firstOffset,
            nextOffset,
            readAt,
            live,
            end,
            text(),
            Arrays.copyOf(offsets, lines),
            base,
            stamped ? Arrays.copyOf(nanos, lines) : new long[0],
            Arrays.copyOf(cut, cuts));
    begin(nextOffset);
    return chunk;
  }

  /// The text; valid UTF-8 is not decoded.
  private Text text() {
    return Utf8.isValid(text, 0, length)
        ? Text.of(Arrays.copyOf(text, length))
        : Text.of(decoded());
  }

  /// Makes times relative to the first time and returns that. Lines before it get the same time.
  private long relate() {
    int first = 0;
    while (nanos[first] == LogChunk.NO_TIME) {
      first++;
    }
    long base = nanos[first];
    for (int i = 0; i < lines; i++) {
      nanos[i] = nanos[i] == LogChunk.NO_TIME ? 0 : nanos[i] - base;
    }
    return base;
  }

  private String decoded() {
    String decoded = new String(text, 0, length, StandardCharsets.UTF_8);
    int replaced = 0;
    for (int i = decoded.indexOf('\ufffd'); i >= 0; i = decoded.indexOf('\ufffd', i + 1)) {
      replaced++;
    }
    if (replaced > 0) {
      counts.invalid.add(replaced - replacementsInText());
    }
    return decoded;
  }

  /// How often U+FFFD itself, `EF BF BD`, occurs in the bytes.
  private int replacementsInText() {
    int found = 0;
    for (int i = 0; i + 2 < length; i++) {
      if (text[i] == (byte) 0xef && text[i + 1] == (byte) 0xbf && text[i + 2] == (byte) 0xbd) {
        found++;
      }
    }
    return found;
  }
}
