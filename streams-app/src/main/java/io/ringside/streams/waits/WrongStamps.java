package io.ringside.streams.waits;

import io.ringside.schemas.event.Evidence;
import org.jspecify.annotations.Nullable;

/// Timestamps of a communicator's calls that were not believed, and clocks that were set in the
/// middle of the run. Waits are judged without them. Owned by one stream thread.
public final class WrongStamps {
  private long calls;
  private int rank = -1;
  private long nanos;
  private @Nullable Evidence line;
  private int setRank = -1;
  private long setNanos;

  WrongStamps() {}

  /// A call was made at another time than its stamp says.
  ///
  /// @param by how much later the stamp is, in nanoseconds
  void impossible(int of, long by, @Nullable Evidence proof) {
    calls++;
    if (Math.abs(by) > Math.abs(nanos)) {
      rank = of;
      nanos = by;
      line = proof;
    }
  }

  /// A rank's clock was set.
  ///
  /// @param by how much, in nanoseconds, forwards if positive
  void set(int of, long by) {
    if (Math.abs(by) > Math.abs(setNanos)) {
      setRank = of;
      setNanos = by;
    }
  }

  /// Number of calls whose stamps cannot be true.
  public long calls() {
    return calls;
  }

  /// Rank of the communicator whose stamp was farthest from the truth, -1 if there is none.
  public int rank() {
    return rank;
  }

  /// How much later that stamp is than the call, in nanoseconds.
  public long nanos() {
    return nanos;
  }

  /// That call's line, if it was kept.
  public @Nullable Evidence line() {
    return line;
  }

  /// A rank of the communicator whose clock was set the farthest, -1 if there is none.
  public int setRank() {
    return setRank;
  }

  /// How far it was set, in nanoseconds, forwards if positive.
  public long setNanos() {
    return setNanos;
  }
}
