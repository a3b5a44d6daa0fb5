package io.ringside.streams.witness.dump;

/// Why a rank is named, strongest proof first.
public enum Why {
  /// It made another call than the others at the same place.
  MISMATCH,
  /// It made the calls of two groups in another order than the others.
  CROSSED,
  /// It did not make a call that others wait in.
  NEVER_CALLED,
  /// It did not post the Send or Recv that its peer waits in.
  NEVER_POSTED,
  /// It still waits in a call that others of its group have completed.
  STUCK,
  /// Its GPU did not begin a call that those of others wait in.
  NOT_BEGUN,
  /// It waits in something else first. That alone proves nothing.
  BEHIND,
  /// All that left a dump wait for it, and it left none: it is dead, stopped, or could not write.
  NO_DUMP
}
