package io.ringside.streams.parse.flightrecorder;

/// How far a call has come.
public enum CallState {
  /// Enqueued; the GPU has not begun it, as far as is known.
  SCHEDULED,
  /// The GPU works or waits in it.
  STARTED,
  /// Done.
  COMPLETED
}
