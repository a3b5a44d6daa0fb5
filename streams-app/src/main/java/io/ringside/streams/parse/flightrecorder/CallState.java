package io.ringside.streams.parse.flightrecorder;

/// How far a call has come.
public enum CallState {
  /// The program has enqueued the call; as far as is known, the GPU has not begun it.
  SCHEDULED,
  /// The GPU works on the call or waits in it.
  STARTED,
  /// The call is done.
  COMPLETED
}
