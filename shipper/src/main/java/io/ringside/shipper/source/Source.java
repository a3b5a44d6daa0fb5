package io.ringside.shipper.source;

/// Produces records on a thread of its own until it is closed.
public interface Source extends AutoCloseable {
  /// Starts the thread and returns at once. If what the source reads is absent, the source waits
  /// for it.
  void start();

  /// The kind of source in one word, for logs, probes and the node's report.
  String name();

  /// When its loop last made a beat, on the scale of {@link System#nanoTime}; used for liveness.
  long lastBeatNanos();

  /// Stops reading and waits for the thread, at most a few seconds. Records handed on before may
  /// still be in flight.
  @Override
  void close();
}
