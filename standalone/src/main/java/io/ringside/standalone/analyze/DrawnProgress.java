package io.ringside.standalone.analyze;

import io.ringside.standalone.terminal.ProgressLine;

/// Shows progress as a bar on a terminal.
record DrawnProgress(ProgressLine line) implements Progress {
  @Override
  public void read(long bytes, long of) {
    line.draw("reading", bytes / (double) of);
  }

  @Override
  public void judged(long records, long of) {
    line.draw("judging", records / (double) of);
  }

  @Override
  public void done() {
    line.wipe();
  }
}
