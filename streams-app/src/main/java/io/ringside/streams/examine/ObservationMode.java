package io.ringside.streams.examine;

/// How Ringside learns about a job.
public enum ObservationMode {
  /// Ringside watches the running job, even if agents read some lines late: a process without new
  /// lines is silent, and findings about a finished run no longer hold.
  LIVE,

  /// Ringside reads complete files: no process is waited for, and findings about a run stay as they
  /// were at its end.
  RECORDED
}
