package io.ringside.streams.parse.scan;

import static io.ringside.schemas.bytes.EightBytes.HIGH;
import static io.ringside.schemas.bytes.EightBytes.ONES;

import io.ringside.schemas.bytes.EightBytes;
import io.ringside.schemas.event.Text;

/// Scans all bytes of a line once, eight at a time: finds where the line ends and which chars it
/// cannot hold. Readers then avoid searches that would walk over the whole line in vain. Not
/// thread-safe; one object serves many lines.
public final class LineProbe {
  private static final char ESCAPE = 0x1b;

  /// Added to eight bytes, sets the highest bit of each byte from 0x1d on. That limit is above line
  /// feed, carriage return and escape, even where a byte beyond ASCII carries one over to them. Of
  /// the other bytes below the limit, only tabs occur.
  private static final long CONTROLS = ONES * (0x80 - 0x1d);

  private static final long ELS = ONES * 'L';
  private static final long BARS = ONES * '|';

  private int start = -1;
  private int end;
  private boolean els;
  private boolean bars;
  private boolean returns;
  private boolean escapes;
  private boolean beyondAscii;

  /// Scans a line.
  ///
  /// @param start first byte of the line
  /// @param from first byte to scan
  /// @param limit last index where the line may end
  /// @return where the line ends: at a line feed or the limit
  public int over(Text text, int start, int from, int limit) {
    var bytes = text.utf8();
    this.start = start;
    returns = false;
    escapes = false;
    var noL = HIGH;
    var noBar = HIGH;
    var seen = 0L;
    var at = from;
    for (var last = limit - Long.BYTES; at <= last; at += Long.BYTES) {
      var word = EightBytes.at(bytes, at);
      seen |= word;
      noL &= EightBytes.nonZero(word ^ ELS);
      noBar &= EightBytes.nonZero(word ^ BARS);
      var control = ~(word + CONTROLS | word) & HIGH;
      if (control != 0) {
        var first = at + EightBytes.first(control);
        var found = bytes[first] == '\n' ? first : feed(bytes, first, at + Long.BYTES);
        if (found >= 0) {
          return ends(found, noL, noBar, seen);
        }
      }
    }
    for (; at < limit; at++) {
      if (bytes[at] == '\n') {
        break;
      }
      returns |= bytes[at] == '\r';
      escapes |= bytes[at] == ESCAPE;
      noL &= bytes[at] == 'L' ? 0 : HIGH;
      noBar &= bytes[at] == '|' ? 0 : HIGH;
      seen |= bytes[at];
    }
    return ends(Math.max(at, from), noL, noBar, seen);
  }

  private int feed(byte[] bytes, int from, int to) {
    for (var at = from; at < to; at++) {
      if (bytes[at] == '\n') {
        return at;
      }
      returns |= bytes[at] == '\r';
      escapes |= bytes[at] == ESCAPE;
    }
    return -1;
  }

  private int ends(int at, long noL, long noBar, long seen) {
    end = at;
    beyondAscii = (seen & HIGH) != 0;
    els = noL != HIGH;
    bars = noBar != HIGH;
    return at;
  }

  /// Scans a range that may hold line feeds, which do not end it here.
  public void within(Text text, int start, int from, int end) {
    if (over(text, start, from, end) < end) {
      this.end = end;
      els = true;
      bars = true;
      beyondAscii = true;
      returns = true;
      escapes = text.indexOf(ESCAPE, start, end) >= 0;
    }
  }

  /// Whether the last scan was of this range.
  public boolean is(int start, int end) {
    return this.start == start && this.end == end;
  }

  /// Whether the range may hold an `L`: without one there is no `NCCL`.
  public boolean mayHoldL() {
    return els;
  }

  /// Whether the range may hold a `|`: without one there is no progress bar.
  public boolean mayHoldBar() {
    return bars;
  }

  /// Whether the range may hold a byte beyond ASCII: without one there is no bar of rich.
  public boolean mayHoldBeyondAscii() {
    return beyondAscii;
  }

  /// Whether the range holds an escape char, as colours do.
  public boolean holdsEscape() {
    return escapes;
  }

  /// Whether the range may hold a carriage return.
  public boolean mayHoldReturn() {
    return returns;
  }
}
