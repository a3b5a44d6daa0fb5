package io.ringside.shipper.source.log.chunk;

import io.ringside.schemas.event.LogChunk;
import io.ringside.shipper.source.log.line.ContainerLine;
import io.ringside.shipper.source.log.line.LineCounts;
import io.ringside.shipper.source.log.line.LineFormat;
import io.ringside.shipper.source.log.line.LineScan;
import io.ringside.shipper.source.log.line.PartialLine;
import io.ringside.shipper.source.log.line.ProgressBar;
import org.jspecify.annotations.Nullable;

/// Splits the bytes of one file into lines: finds line ends (LF, CRLF, lone CR), removes what the
/// container runtime added, joins its partial lines, and cuts lines that are too long.
///
/// The only unfinished data kept here are partial lines of containers: the file is the buffer, and
/// the caller passes bytes that were not consumed again. Not thread-safe.
public final class LineDecoder {
  /// What to do with a line that has no end yet.
  public enum Flush {
    /// Wait for its end.
    NONE,
    /// Wait for its end, unless it is a progress bar.
    BARS,
    /// Take it as it is, since the file ends here.
    ALL
  }

  private static final int INCOMPLETE = -1;

  private ChunkLimits limits;
  private final LineCounts counts;
  private final ContainerLine line = new ContainerLine();
  private final PartialLine[] carries;
  private final ProgressBar bars = new ProgressBar();
  private @Nullable LineFormat format;

  /// Whether the next bytes are the rest of a line that was cut.
  private boolean skipping;

  /// Whether the last byte consumed was a CR, and it is not known yet if a LF follows.
  private boolean afterCr;

  /// Offset after the last lone CR, where a progress bar may be drawn.
  private long afterLoneCr = -1;

  private long lastNanos = LogChunk.NO_TIME;

  /// Offset up to which lines were shipped already.
  private long emitFrom;

  private byte[] in = {};
  private int end;

  /// File offset of `in[0]`.
  private long base;

  private long now;
  private ChunkBuilder out;

  LineDecoder(ChunkLimits limits, LineCounts counts) {
    this.limits = limits;
    this.counts = counts;
    this.out = new ChunkBuilder(new ChunkLimits(1, 1, 16), counts);
    this.carries =
        new PartialLine[] {
          new PartialLine(limits.lineBytes(), counts), new PartialLine(limits.lineBytes(), counts)
        };
  }

  /// Changes the limits, effective from the next line.
  void limits(ChunkLimits fresh) {
    limits = fresh;
    for (PartialLine carry : carries) {
      carry.limit(fresh.lineBytes());
    }
  }

  /// Suppresses lines before this offset: they are read again only to find the beginning of a
  /// partial line.
  void emitFrom(long offset) {
    emitFrom = offset;
  }

  /// Offset to read from after a restart, if everything before `nextOffset` was shipped.
  long resumeOffset(long nextOffset) {
    long resume = nextOffset;
    for (PartialLine carry : carries) {
      if (!carry.isEmpty()) {
        resume = Math.min(resume, carry.offset);
      }
    }
    return resume;
  }

  /// Adds lines from `[from, to)` to the chunk until it is full or no complete line is left.
  ///
  /// @param position offset of `bytes[from]` in the file
  /// @param nowNanos time used to thin out progress bars in a file without timestamps
  /// @return number of bytes consumed
  int decode(
      byte[] bytes,
      int from,
      int to,
      long position,
      Flush flush,
      long nowNanos,
      ChunkBuilder chunk) {
    in = bytes;
    end = to;
    base = position - from;
    now = nowNanos;
    out = chunk;
    int i = from;
    if (afterCr && i < to) {
      afterCr = false;
      if (bytes[i] == '\n') {
        i++;
      }
    }
    while (i < to && !chunk.isFull(base + i)) {
      int next = next(i, flush);
      if (next == INCOMPLETE) {
        break;
      }
      i = next;
    }
    return i - from;
  }

  /// Adds the lines whose last part never came, at the end of a file.
  void finish(long nextOffset, ChunkBuilder chunk) {
    out = chunk;
    for (PartialLine carry : carries) {
      if (!carry.isEmpty()) {
        segments(carry.bytes, 0, carry.length, nextOffset, lastNanos, carry.cut);
        carry.clear();
      }
    }
  }

  private int next(int i, Flush flush) {
    if (skipping) {
      return skipRest(i);
    }
    if (in[i] == 0) {
      return skipNuls(i);
    }
    if (format == null && !recognise(i, flush)) {
      return INCOMPLETE;
    }
    return format == LineFormat.PLAIN || format == null
        ? plainLine(i, flush)
        : containerLine(format, i, flush);
  }

  private int skipRest(int i) {
    int e =
        format == LineFormat.PLAIN
            ? LineScan.lineEnd(in, i, end)
            : LineScan.indexOf(in, (byte) '\n', i, end);
    int stop = e < 0 ? end : e;
    counts.cutBytes.add(stop - i);
    if (e < 0) {
      return end;
    }
    skipping = false;
    if (in[e] == '\r') {
      afterCr = e + 1 == end;
      return e + 1 < end && in[e + 1] == '\n' ? e + 2 : e + 1;
    }
    return e + 1;
  }

  private int skipNuls(int i) {
    int j = i;
    while (j < end && in[j] == 0) {
      j++;
    }
    counts.nulBytes.add(j - i);
    return j;
  }

  /// Recognises the format. An empty line has no format and is taken as a plain line.
  private boolean recognise(int i, Flush flush) {
    int e = LineScan.lineEnd(in, i, end);
    if (e == i) {
      return true;
    }
    if (e < 0 && flush != Flush.ALL && end - i <= limits.lineBytes()) {
      return false;
    }
    format = LineFormat.of(in, i, e < 0 ? end : e);
    return true;
  }

  private int plainLine(int i, Flush flush) {
    int limit = limits.lineBytes();
    int e = LineScan.lineEnd(in, i, Math.min(end, i + limit + 1));
    if (e < 0) {
      return end - i > limit ? cutPlain(i, limit) : unfinished(i, flush);
    }
    if (in[e] == '\n') {
      add(in, i, e, base + i, LogChunk.NO_TIME, false);
      return e + 1;
    }
    int j = afterCrs(e);
    if (j == end && flush == Flush.NONE && j - e <= limit) {
      return INCOMPLETE;
    }
    if (j < end && in[j] == '\n') {
      add(in, i, e, base + i, LogChunk.NO_TIME, false);
      return j + 1;
    }
    return loneCr(i, e, j, flush);
  }

  /// Handles the piece `[i, e)`, which ends with a lone CR; the next piece begins at `j`.
  private int loneCr(int i, int e, int j, Flush flush) {
    if (e > i && ProgressBar.looksLike(in, i, e)) {
      int nextEnd = LineScan.lineEnd(in, j, end);
      if (nextEnd < 0 && flush == Flush.NONE && end - j <= limits.lineBytes()) {
        return INCOMPLETE;
      }
      boolean overdrawn =
          nextEnd >= 0 && in[nextEnd] == '\r' && ProgressBar.looksLike(in, j, nextEnd);
      if (overdrawn && !bars.keep(now, in, i, e)) {
        counts.bars.increment();
        afterLoneCr = base + j;
        return j;
      }
      if (!overdrawn) {
        bars.kept(now, in, i, e);
      }
    }
    if (e > i) {
      add(in, i, e, base + i, LogChunk.NO_TIME, false);
    }
    afterCr = j == end;
    afterLoneCr = base + j;
    return j;
  }

  private int unfinished(int i, Flush flush) {
    boolean take =
        switch (flush) {
          case NONE -> false;
          case BARS -> base + i == afterLoneCr && ProgressBar.looksLike(in, i, end);
          case ALL -> true;
        };
    if (!take) {
      return INCOMPLETE;
    }
    add(in, i, end, base + i, LogChunk.NO_TIME, false);
    return end;
  }

  private int cutPlain(int i, int limit) {
    int stop = characterStart(in, i + limit, i);
    add(in, i, stop, base + i, LogChunk.NO_TIME, true);
    skipping = true;
    return stop;
  }

  private int containerLine(LineFormat known, int i, Flush flush) {
    int limit = limits.physicalLineBytes();
    int e = LineScan.indexOf(in, (byte) '\n', i, Math.min(end, i + limit + 1));
    int next = e + 1;
    boolean tooLong = false;
    if (e < 0) {
      tooLong = end - i > limit;
      if (!tooLong && flush != Flush.ALL) {
        return INCOMPLETE;
      }
      e = tooLong ? i + limit : end;
      next = e;
      skipping = tooLong;
    }
    long offset = base + i;
    if (!line.parse(known, in, i, e)) {
      segments(in, i, e, offset, lastNanos, tooLong);
      return next;
    }
    lastNanos = line.nanos;
    PartialLine carry = carries[line.stream];
    if (line.partial && !tooLong) {
      carry.append(line.bytes, line.from, line.to, offset);
      emitFinished(carry, offset);
    } else if (carry.isEmpty()) {
      segments(line.bytes, line.from, line.to, offset, line.nanos, tooLong);
    } else {
      carry.append(line.bytes, line.from, line.to, offset);
      segments(carry.bytes, 0, carry.length, offset, line.nanos, carry.cut || tooLong);
      carry.clear();
    }
    return next;
  }

  /// Adds the finished pieces of a partial line. A progress bar is drawn for minutes within one
  /// line of a container's log, so pieces that end with a CR need not wait for the end of the line.
  private void emitFinished(PartialLine carry, long offset) {
    int last = carry.length - 1;
    while (last >= 0 && carry.bytes[last] != '\r') {
      last--;
    }
    // a CR at the very end may be half of a CRLF
    if (last > 0 && last < carry.length - 1) {
      segments(carry.bytes, 0, last, offset, lastNanos, false);
      carry.dropHead(last + 1, offset);
    }
  }

  /// Adds the text of one line of a container's log. A text with CRs becomes several lines.
  private void segments(byte[] text, int from, int to, long offset, long nanos, boolean isCut) {
    int p = from;
    while (true) {
      int k = LineScan.lineEnd(text, p, to);
      if (k < 0) {
        addLimited(text, p, to, offset, nanos, isCut);
        return;
      }
      int j = k;
      while (j < to && text[j] == '\r') {
        j++;
      }
      if (j == to) {
        addLimited(text, p, k, offset, nanos, isCut);
        return;
      }
      if (text[j] == '\n') {
        addLimited(text, p, k, offset, nanos, false);
        p = j + 1;
        continue;
      }
      if (k > p && keepSegment(text, p, k, j, to, nanos)) {
        addLimited(text, p, k, offset, nanos, false);
      }
      p = j;
    }
  }

  private boolean keepSegment(byte[] text, int from, int to, int next, int limit, long nanos) {
    if (!ProgressBar.looksLike(text, from, to)) {
      return true;
    }
    int nextEnd = LineScan.lineEnd(text, next, limit);
    if (ProgressBar.looksLike(text, next, nextEnd < 0 ? limit : nextEnd)
        && !bars.keep(nanos, text, from, to)) {
      counts.bars.increment();
      return false;
    }
    return true;
  }

  private void addLimited(byte[] text, int from, int to, long offset, long nanos, boolean isCut) {
    int limit = limits.lineBytes();
    if (to - from > limit) {
      int stop = characterStart(text, from + limit, from);
      counts.cutBytes.add(to - stop);
      add(text, from, stop, offset, nanos, true);
    } else {
      add(text, from, to, offset, nanos, isCut);
    }
  }

  private void add(byte[] text, int from, int to, long offset, long nanos, boolean isCut) {
    if (offset >= emitFrom) {
      out.add(text, from, to, offset, nanos, isCut);
    }
  }

  private int afterCrs(int from) {
    int j = from;
    while (j < end && in[j] == '\r') {
      j++;
    }
    return j;
  }

  /// The last index, at most `at`, at which a UTF-8 character begins.
  private static int characterStart(byte[] text, int at, int from) {
    int i = at;
    while (i > from && i > at - 3 && (text[i] & 0xc0) == 0x80) {
      i--;
    }
    return i;
  }
}
