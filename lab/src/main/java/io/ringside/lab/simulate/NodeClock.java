package io.ringside.lab.simulate;

/// A node's clock, which is a little wrong.
///
/// @param beginNanos the job's begin, true time, Unix epoch
/// @param offsetNanos by how much the clock is ahead at the begin
/// @param drift by how much it gains a second
record NodeClock(long beginNanos, long offsetNanos, double drift) {

  /// True time of a moment of the job.
  long nanos(double seconds) {
    return beginNanos + Math.round(seconds * 1e9);
  }

  /// What the clock shows at a true time.
  long shown(long nanos) {
    return nanos + offsetNanos + Math.round(drift * (nanos - beginNanos));
  }
}
