package io.ringside.standalone.analyze;

/// Ignores progress.
final class Unwatched implements Progress {
  @Override
  public void read(long bytes, long of) {}

  @Override
  public void judged(long records, long of) {}

  @Override
  public void done() {}
}
