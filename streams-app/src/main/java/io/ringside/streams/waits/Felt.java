package io.ringside.streams.waits;

/// Whether anybody felt that a rank was late.
///
/// If the others truly wait for a rank, their turns take longer by what they wait. A clock that was set or that drifts,
/// and a program that calls long before its GPU needs the result, make a rank seem late in every turn, and
/// turns take as long as before.
final class Felt {
  /// Fewer turns tell nothing of how long they take.
  private static final int FEWEST = 8;

  private static final int KEPT = 32;

  /// A part of a delay may be hidden behind what the others do meanwhile.
  private static final double FELT_SHARE = 0.5;

  /// Of turns in which the others were a whole turn ahead this many do not wait for anybody.
  private static final double MOST_AHEAD = 0.5;

  private Reservoir turnSeconds = new Reservoir(KEPT);
  private Reservoir lateSeconds = new Reservoir(KEPT);
  private Pace before = Pace.UNKNOWN;
  private int turns;
  private int ahead;

  /// The rank was late in a turn.
  void late(Turn turn, int rank) {
    turns++;
    ahead += turn.ahead() ? 1 : 0;
    if (turn.seconds() > 0) {
      turnSeconds.add(turn.seconds());
      lateSeconds.add(turn.lateSeconds(rank));
    }
  }

  /// How long turns took before it was late.
  void before(Pace pace) {
    if (before.turns() == 0) {
      before = pace;
    }
  }

  /// False if the others did not wait, as far as turns tell. Where they tell nothing, lateness is believed.
  boolean felt() {
    if (turnSeconds.size() < FEWEST || before.turns() < FEWEST) {
      return turns == 0 || ahead <= MOST_AHEAD * turns;
    }
    var now = Pace.of(turnSeconds);
    double grown = now.seconds() - before.seconds();
    return grown + now.error() + before.error() >= FELT_SHARE * lateSeconds.quantile(0.5);
  }

  /// Whether it is known that turns took longer once the rank was late: it was in time before.
  boolean proven() {
    return turnSeconds.size() >= FEWEST && before.turns() >= FEWEST && felt();
  }

  /// Whether so many turns have been seen that it will not change.
  boolean settled() {
    return turnSeconds.size() >= FEWEST;
  }
}
