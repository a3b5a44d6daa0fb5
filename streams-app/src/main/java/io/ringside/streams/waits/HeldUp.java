package io.ringside.streams.waits;

import java.util.Set;

/// Whether a late rank holds up a program whose ranks call collectives without waiting for them.
///
/// A rank that has called a collective does not wait for it as long as it makes the next calls: its
/// GPU may still be busy with earlier work. So time in which others call on does not count as
/// waiting, and a rank that is late to each call counts as late each time. Both are wrong for a
/// program that waits for its GPUs once a step, as one does that reads its loss. All queues are
/// empty then, and all calls of a step come later by what one rank was late by at its beginning.
///
/// ```text
///   rank 0  |1 2 3 4 5 .. 26         |1 2 3 4 5 .. 26
///   rank 1  |   1 2 3 4 5 .. 26      |   1 2 3 4 5 .. 26
///            └─┘ the GPUs idle: the step takes longer by this
/// ```
///
/// The two programs look alike, so the length of the steps decides: they must have become longer by
/// at least half of what the rank is late by, beyond doubt, compared with steps before it was late.
/// This convicts nobody. It only lets [Waits] count the lateness once a step and in full.
final class HeldUp {
  private Suspicions suspicions = new Suspicions();
  private UsualTurns usual = new UsualTurns();
  private boolean holds;

  /// Takes in a training step.
  ///
  /// @param called the step, in which lateness counts once and in full
  /// @param found who was late in it
  /// @param ranks of the communicator, with lines
  /// @param stepSeconds how long a step takes
  void turn(Turn called, Turn.Verdict found, int ranks, double stepSeconds) {
    suspicions.turn(called, found, ranks, Suspicion.Odds.STEPS, usual, stepSeconds);
    if (called.seconds() > 0 && !suspicions.anySuspect()) {
      usual.add(called.workedSeconds(), found.clear() ? found.ranks() : Set.of());
    }
    for (var streak : suspicions.open()) {
      if (streak.delaysNobody()) {
        suspicions.drop(streak.rank());
        usual.acquitted(streak.rank());
      }
    }
    holds = suspicions.open().stream().anyMatch(Streak::showsDelay);
  }

  /// Whether a rank does so now.
  boolean holds() {
    return holds;
  }

  /// Whether a rank may do so.
  boolean suspects() {
    return suspicions.anySuspect();
  }
}
