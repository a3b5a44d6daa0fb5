package io.ringside.streams.parse.scan;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.LineOrigin;

/// Rank, task and time that the wrappers of one line give, collected from the outermost to the
/// innermost: the last value counts.
final class FoundOrigin {
  private final Text text;
  private int rank = -1;
  private int task = -1;
  private long nanos = NO_TIME;
  private int digits;
  private boolean zoned;

  FoundOrigin(Text text) {
    this.text = text;
  }

  LineOrigin origin() {
    return new LineOrigin(rank, task, nanos, digits);
  }

  void rank(int from, int to) {
    rank = number(from, to);
  }

  void task(int from, int to) {
    task = number(from, to);
  }

  /// Takes a date and time. A time with a zone comes from a collector, whose clock is the same for
  /// all lines, so a later time without a zone does not replace it.
  void time(int from, int to) {
    var fraction = DateTime.fractionEnd(text, from, to);
    var zone = DateTime.zoneEnd(text, fraction, to);
    if (zone > fraction || !zoned) {
      zoned = zone > fraction;
      nanos = DateTime.nanos(text, from, zone);
      digits = Math.max(0, fraction - from - DateTime.LENGTH - 1);
    }
  }

  private int number(int from, int to) {
    return Chars.smallDigits(text, from, Chars.skipDigits(text, from, to));
  }
}
