package io.ringside.standalone.analyze;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/// One line on a terminal that is drawn over and over, at most ten times a second, and wiped away
/// in the end: `reading ██████░░░░░░  48 %`.
final class ProgressLine implements Progress {
  private static final long INTERVAL = Duration.ofMillis(100).toNanos();
  private static final int CELLS = 30;
  private static final String WIPE = "\r\u001b[K";

  private final PrintStream terminal;
  private final LongSupplier nanoTime;
  private long lastDrawn;
  private boolean drawn;

  ProgressLine(PrintStream terminal, LongSupplier nanoTime) {
    this.terminal = terminal;
    this.nanoTime = nanoTime;
  }

  @Override
  public void read(long bytes, long of) {
    draw("reading", bytes, of);
  }

  @Override
  public void judged(long records, long of) {
    draw("judging", records, of);
  }

  @Override
  public void done() {
    if (drawn) {
      terminal.print(WIPE);
      terminal.flush();
    }
  }

  private void draw(String what, long done, long of) {
    long now = nanoTime.getAsLong();
    if (drawn && now - lastDrawn < INTERVAL) {
      return;
    }
    drawn = true;
    lastDrawn = now;
    double share = of <= 0 ? 0 : Math.clamp(done / (double) of, 0, 1);
    int filled = (int) Math.round(share * CELLS);
    terminal.printf(
        "%s%s %s%s %3d %%",
        WIPE, what, "█".repeat(filled), "░".repeat(CELLS - filled), Math.round(share * 100));
    terminal.flush();
  }
}
