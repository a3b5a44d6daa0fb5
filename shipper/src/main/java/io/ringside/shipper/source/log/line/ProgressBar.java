package io.ringside.shipper.source.log.line;

import java.util.Arrays;

/// Tells a progress bar from other text that ends with a lone carriage return, and keeps about one
/// state of it a second: of a bar that shows its own clock, as tqdm's does, the first of each
/// second it shows. A bar is drawn over by the next; only bars are ever dropped, and the last one
/// before other text is always kept.
public final class ProgressBar {
  private static final long EVERY_NANOS = 1_000_000_000L;

  /// tqdm draws ten times a second at most, some hundred bytes each time. So much text is a
  /// second's worth and more, whatever the clock says: recordings have none, and containerd hands
  /// over 16 KiB of bars at one moment.
  private static final int EVERY_BYTES = 1_024;

  /// Ranks may draw into one file, each a bar that began at another moment.
  private static final int CLOCKS = 16;

  private static final int NO_CLOCK = -1;

  private static final int MOST_DIGITS = 6;

  private long lastKept = Long.MIN_VALUE / 2;
  private int droppedBytes;

  /// What the last bars kept showed, in seconds, and where the next one goes.
  private final int[] shown = new int[CLOCKS];

  private int next;

  public ProgressBar() {
    Arrays.fill(shown, NO_CLOCK);
  }

  /// Whether `[from, to)` looks like tqdm's or pip's bars: a percentage or a rate, and nothing that
  /// NCCL wrote into the same line.
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

  /// Notes a bar that is kept because nothing follows it.
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

  /// The elapsed seconds that tqdm shows, `3/50 [00:58<15:21, 19.61s/it]`, or without a total
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
