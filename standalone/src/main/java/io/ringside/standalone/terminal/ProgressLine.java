package io.ringside.standalone.terminal;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/// One line on a terminal that is redrawn at most ten times a second and wiped before anything else
/// is printed: `reading ██████░░░░░░  48 %`. Thread-safe, since Ctrl-C may come at any time.
public final class ProgressLine {
  private static final long INTERVAL = Duration.ofMillis(100).toNanos();
  private static final int CELLS = 30;
  private static final String WIPE = "\r\u001b[K";

  private final PrintStream terminal;
  private final LongSupplier nanoTime;
  private final boolean watched;
  private long lastDrawn;
  private boolean visible;
  private boolean ended;

  /// @param watched whether the output is a terminal; if not, nothing is ever drawn
  public ProgressLine(PrintStream terminal, LongSupplier nanoTime, boolean watched) {
    this.terminal = terminal;
    this.nanoTime = nanoTime;
    this.watched = watched;
  }

  /// Shows the share that is done, from 0 to 1.
  public synchronized void draw(String what, double share) {
    long now = nanoTime.getAsLong();
    if (!watched || ended || (visible && now - lastDrawn < INTERVAL)) {
      return;
    }
    visible = true;
    lastDrawn = now;
    double done = Double.isFinite(share) ? Math.clamp(share, 0, 1) : 0;
    int filled = (int) Math.round(done * CELLS);
    terminal.printf(
        "%s%s %s%s %3d %%",
        WIPE, what, "█".repeat(filled), "░".repeat(CELLS - filled), Math.round(done * 100));
    terminal.flush();
  }

  /// Removes the line.
  public synchronized void wipe() {
    if (visible) {
      visible = false;
      terminal.print(WIPE);
      terminal.flush();
    }
  }

  /// Removes the line for good: later draws have no effect.
  public synchronized void end() {
    wipe();
    ended = true;
  }
}
