package io.ringside.streams.examine;

/// How Ringside comes by what it knows of a job.
public enum Sight {
  /// It watches while the job goes on, whatever agents read late: who says nothing is silent, what
  /// held of a run that is over holds no more.
  LIVE,

  /// It reads files that are complete: nobody is waited for, and what was found of a run stays as
  /// it was at its end.
  RECORDED
}
