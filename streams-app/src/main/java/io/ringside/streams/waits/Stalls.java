package io.ringside.streams.waits;

/// Tells waits that are far longer than turns and come one by one: a data loader that stands, a
/// host that swaps. Those that follow each other closely have one cause, and say no more than the
/// first of them.
final class Stalls {
  /// In seconds.
  private static final double LEAST = 0.5;

  /// Of what a turn usually takes.
  private static final double LEAST_TURNS = 2;

  /// Turns without a stall after which the next one has a cause of its own. Programs that run ahead
  /// of their GPUs feel one pause over several steps.
  private static final int APART = 4;

  private int since = APART;

  /// @param seconds that somebody was waited for in the next turn, 0 if nobody was
  /// @param turnSeconds that a turn usually takes, 0 if that is not known
  /// @return whether that is a stall by itself
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
