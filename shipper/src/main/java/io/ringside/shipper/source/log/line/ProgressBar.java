package io.ringside.shipper.source.log.line;

import java.util.Arrays;

/// Distinguishes progress bars from other text that ends with a lone carriage return, and keeps
/// about one state of a bar per second. If a bar shows its own clock, as tqdm's does, the first
/// state of each second shown is kept. Only bars that are drawn over by another bar are dropped;
/// the last one before other text is always kept.
public final class ProgressBar {
  private static final long EVERY_NANOS = 1_000_000_000L;

  /// Bytes of bars after which one is kept whatever the clock says: at least a second's worth, as
  /// tqdm draws at most ten times a second, some hundred bytes each time. Recordings have no clock,
  /// and containerd writes 16 KiB of bars with one timestamp.
  private static final int EVERY_BYTES = 1_024;

  /// Number of clocks remembered. Several ranks may draw into one file, each with a bar that began
  /// at another time.
  private static final int CLOCKS = 16;

  private static final int NO_CLOCK = -1;

  private static final int MOST_DIGITS = 6;

  private long lastKept = Long.MIN_VALUE / 2;
  private int droppedBytes;

  /// Elapsed seconds that the last bars kept showed; `next` is the index of the next one.
  private final int[] shown = new int[CLOCKS];

  private int next;

  public ProgressBar() {
    Arrays.fill(shown, NO_CLOCK);
  }

  /// Whether `[from, to)` looks like a bar of tqdm or pip: it has a percentage or a rate, and NCCL
  /// wrote nothing into the same line.
  public static boolean looksLike(byte[] b, int from, int to) {
    boolean bar = false;
    for (int i = from; i < to; i++) {
      switch (b[i]) {
        case '%' -> bar = true;
        case '/' -> bar |= i > from && i + 1 < to && (b[i + 1] == 's' || b[i - 1] == 's');
        case 'N' -> {
          if (i + 3 < to && b[i + 1] == 'C' && b[i + 2] == 'C' && b[i + 3] == 'L') {
            return false;
          }
        }
        default -> {}
      }
    }
    return bar;
  }

  /// Whether to keep the bar `[from, to)` at this time although another bar follows.
  public boolean keep(long nanos, byte[] b, int from, int to) {
    int clock = clock(b, from, to);
    int bytes = to - from;
    if (nanos - lastKept >= EVERY_NANOS || droppedBytes + bytes > EVERY_BYTES || isNew(clock)) {
      kept(nanos, clock);
      return true;
    }
    droppedBytes += bytes;
    return false;
  }

  /// Records a bar that is kept because no other bar follows it.
  public void kept(long nanos, byte[] b, int from, int to) {
    kept(nanos, clock(b, from, to));
  }

  private void kept(long nanos, int clock) {
    lastKept = nanos;
    droppedBytes = 0;
    if (isNew(clock)) {
      shown[next] = clock;
      next = (next + 1) % CLOCKS;
    }
  }

  private boolean isNew(int clock) {
    if (clock == NO_CLOCK) {
      return false;
    }
    for (int before : shown) {
      if (before == clock) {
        return false;
      }
    }
    return true;
  }

  /// The elapsed seconds that tqdm shows: `3/50 [00:58<15:21, 19.61s/it]`, or without a total
  /// `12it [1:00:10, 1.20it/s]`.
  private static int clock(byte[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      if (b[i] == '[') {
        int seconds = elapsed(b, i + 1, to);
        if (seconds != NO_CLOCK) {
          return seconds;
        }
      }
    }
    return NO_CLOCK;
  }

  private static int elapsed(byte[] b, int from, int to) {
    int seconds = 0;
    int part = 0;
    int digits = 0;
    boolean parted = false;
    for (int i = from; i < to; i++) {
      byte c = b[i];
      if (c >= '0' && c <= '9' && digits < MOST_DIGITS) {
        part = 10 * part + c - '0';
        digits++;
      } else if (c == ':' && digits > 0) {
        seconds = 60 * (seconds + part);
        part = 0;
        digits = 0;
        parted = true;
      } else {
        return parted && digits > 0 && (c == '<' || c == ',') ? seconds + part : NO_CLOCK;
      }
    }
    return NO_CLOCK;
  }
}
