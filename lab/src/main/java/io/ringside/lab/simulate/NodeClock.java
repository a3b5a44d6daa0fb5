package io.ringside.lab.simulate;

import java.util.List;

/// A node's clock, which is a little wrong.
///
/// @param beginNanos the job's begin, true time, Unix epoch
/// @param offsetNanos by how much the clock is ahead at the begin
/// @param drift by how much it gains a second
/// @param settings when somebody sets it, in the order of time
record NodeClock(long beginNanos, long offsetNanos, double drift, List<Setting> settings) {

  /// @param atNanos true time, Unix epoch
  /// @param byNanos forwards if positive
  record Setting(long atNanos, long byNanos) {}

  NodeClock {
    settings = List.copyOf(settings);
  }

  /// One that nobody sets.
  NodeClock(long beginNanos, long offsetNanos, double drift) {
    this(beginNanos, offsetNanos, drift, List.of());
  }

  /// True time of a moment of the job.
  long nanos(double seconds) {
    return beginNanos + Math.round(seconds * 1e9);
  }

  /// What the clock shows at a true time.
  long shown(long nanos) {
    long set = 0;
    for (var setting : settings) {
      set += nanos >= setting.atNanos() ? setting.byNanos() : 0;
    }
    return nanos + offsetNanos + Math.round(drift * (nanos - beginNanos)) + set;
  }

  NodeClock set(List<Setting> more) {
    return new NodeClock(beginNanos, offsetNanos, drift, more);
  }
}
