package io.ringside.streams.job.step;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Lines of training that do not tell how many steps were made, such as the Trainer's losses in a
/// log without its settings. They give no step time, but show that training goes on, and when it
/// stops.
final class Pulse {
  private long lines;
  private long firstNanos = NO_TIME;
  private long lastNanos = NO_TIME;
  private long longestNanos;
  private @Nullable Evidence last;

  void beat(long atNanos, Evidence line) {
    lines++;
    last = line;
    firstNanos = firstNanos == NO_TIME ? atNanos : firstNanos;
    if (lastNanos != NO_TIME) {
      longestNanos = Math.max(longestNanos, atNanos - lastNanos);
    }
    lastNanos = Math.max(lastNanos, atNanos);
  }

  /// Takes over the lines of an earlier part of the same run.
  void absorb(Pulse other) {
    lines += other.lines;
    last = last == null ? other.last : last;
    if (firstNanos == NO_TIME || other.firstNanos != NO_TIME && other.firstNanos < firstNanos) {
      firstNanos = other.firstNanos;
    }
    lastNanos = Math.max(lastNanos, other.lastNanos);
    longestNanos = Math.max(longestNanos, other.longestNanos);
  }

  /// The last one.
  Optional<Evidence> last() {
    return Optional.ofNullable(last);
  }

  /// When the last one came, NO_TIME if none did.
  long lastNanos() {
    return lastNanos;
  }

  /// The longest time between two of them.
  long longestNanos() {
    return longestNanos;
  }

  /// The usual time between two of them, 0 if there are fewer than this.
  long usualNanos(long least) {
    return lines < least ? 0 : (lastNanos - firstNanos) / Math.max(1, lines - 1);
  }
}
