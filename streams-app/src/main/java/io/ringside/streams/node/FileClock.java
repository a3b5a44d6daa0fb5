package io.ringside.streams.node;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

/// How far the timestamps of a file's lines have come, in epoch nanoseconds. Lines of one moment
/// may be stamped minutes ahead, so only a time that lines of two moments have reached is believed.
final class FileClock {
  /// Lines at most this far apart are of one moment: a process prints several at once.
  private static final long MOMENT_NANOS = 1_000_000_000L;

  /// A line this much later may be the first of many, or stamped by a clock that jumped.
  private static final long AHEAD_NANOS = 60_000_000_000L;

  /// This many lines in a row, so far behind a moment, show that the moment's time is not of this
  /// file.
  private static final int REFUTED = 16;

  private long newest = NO_TIME;

  /// When the moment of the newest line began.
  private long momentNanos = NO_TIME;

  private long believed = NO_TIME;

  /// Lines in a row that were far behind the newest moment.
  private int behind;

  /// Latest time of the current line.
  private transient long current = NO_TIME;

  private transient int line = -1;

  /// Records a time that a line states; a line may state several.
  ///
  /// @param number index of the line in its chunk
  void advance(int number, long nanos) {
    if (number != line) {
      settle();
      line = number;
    }
    current = Math.max(current, nanos);
  }

  /// Ends the line that was read last.
  void settle() {
    if (current != NO_TIME && (newest == NO_TIME || current > momentNanos + MOMENT_NANOS)) {
      believed = newest;
      momentNanos = current;
      newest = current;
      behind = 0;
    } else if (current >= momentNanos) {
      newest = Math.max(newest, current);
      behind = 0;
    } else {
      believed = Math.max(believed, current);
      behind = current < momentNanos - AHEAD_NANOS ? behind + 1 : 0;
      if (behind == REFUTED) {
        newest = believed;
        momentNanos = believed;
      }
    }
    current = NO_TIME;
    line = -1;
  }

  /// How far the lines have come if this is their latest time. That is only the believed time if
  /// this one is of a single moment far ahead.
  long reached(long nanos) {
    return nanos != NO_TIME && believed != NO_TIME && nanos > believed + AHEAD_NANOS
        ? believed
        : nanos;
  }

  /// The newest time that lines of two moments have reached, NO_TIME if there are no two.
  long believed() {
    return believed;
  }
}
