package io.ringside.standalone.analyze;

/// Ignores progress.
final class NoProgress implements Progress {
  @Override
  public void read(long bytes, long of) {}

  @Override
  public void judged(long records, long of) {}

  @Override
  public void done() {}
}
