package io.ringside.shipper.source;

/// Something that gives records from a thread of its own until it is closed.
public interface Source extends AutoCloseable {
  /// Starts the thread; returns at once. What the source needs may be absent: it waits for it.
  void start();

  /// What it reads, in one word: for logs, probes and the node's report.
  String name();

  /// When its loop last went round, as {@link System#nanoTime} counts; for liveness.
  long lastBeatNanos();

  /// Stops reading and waits for the thread, at most some seconds. Everything handed on before may
  /// still be on its way.
  @Override
  void close();
}
