package io.ringside.shipper.source.log.line;

/// Tells a progress bar from other text that ends with a lone carriage return, and keeps about one
/// state of it a second. A bar is drawn over by the next; only bars are ever dropped, and the last
/// one before other text is always kept.
public final class ProgressBar {
  private static final long EVERY_NANOS = 1_000_000_000L;

  /// tqdm draws ten times a second at most, some hundred bytes each time. So much text is a
  /// second's worth and more, whatever the clock says: recordings have none, and containerd hands
  /// over 16 KiB of bars at one moment.
  private static final int EVERY_BYTES = 1_024;

  private long lastKept = Long.MIN_VALUE / 2;
  private int droppedBytes;

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

  /// Whether to keep a bar at this time although another bar follows.
  ///
  /// @param bytes its length
  public boolean keep(long nanos, int bytes) {
    if (nanos - lastKept >= EVERY_NANOS || droppedBytes + bytes > EVERY_BYTES) {
      kept(nanos);
      return true;
    }
    droppedBytes += bytes;
    return false;
  }

  /// Notes a bar that is kept because nothing follows it.
  public void kept(long nanos) {
    lastKept = nanos;
    droppedBytes = 0;
  }
}
