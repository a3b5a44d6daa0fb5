package io.ringside.streams.witness.dump;

/// Why a rank is accused, strongest proof first.
public enum AccusationReason {
  /// It made a different call than the others at the same place.
  MISMATCH,
  /// It made the calls of two groups in a different order than the others.
  CROSSED,
  /// It did not make a call in which others wait.
  NEVER_CALLED,
  /// It did not post the Send or Recv for which its peer waits.
  NEVER_POSTED,
  /// It still waits in a call that others of its group have completed.
  STUCK,
  /// Its GPU did not begin a call in which others' GPUs wait.
  NOT_BEGUN,
  /// It waits in another call first. That alone proves nothing.
  BEHIND,
  /// All ranks with a dump wait for it, and it left none: it is dead, stopped, or could not write.
  NO_DUMP
}
