package io.ringside.streams.waits;

/// Recognises waits that are far longer than turns and come one by one: a data loader that hangs, a
/// host that swaps. Stalls that follow each other closely have one cause, and prove no more than
/// the first of them.
final class Stalls {
  /// Least duration of a stall in seconds.
  private static final double LEAST = 0.5;

  /// The same as a multiple of a turn's usual duration.
  private static final double LEAST_TURNS = 2;

  /// After this many turns without a stall the next one has a cause of its own. Programs that run
  /// ahead of their GPUs feel one pause over several steps.
  private static final int APART = 4;

  private int since = APART;

  /// @param seconds how long ranks were waited for in the next turn, 0 if none was
  /// @param turnSeconds usual duration of a turn, 0 if unknown
  /// @return whether the turn has a stall of its own
  boolean next(double seconds, double turnSeconds) {
    if (turnSeconds <= 0 || seconds < Math.max(LEAST, LEAST_TURNS * turnSeconds)) {
      since++;
      return false;
    }
    boolean alone = since >= APART;
    since = 0;
    return alone;
  }
}
