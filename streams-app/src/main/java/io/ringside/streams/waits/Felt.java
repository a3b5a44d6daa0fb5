package io.ringside.streams.waits;

import io.ringside.schemas.event.Nanos;

/// Whether anybody felt that a rank was late.
///
/// If the others truly wait for a rank, their turns take longer by what they wait. A clock that was
/// set or that drifts, and a program that calls long before its GPU needs the result, make a rank
/// seem late in every turn, and turns take as long as before. How long they took before is known
/// from turns in which nobody was suspect; where those are few, since a clock was set soon after
/// the start, from the communicator's first rounds.
final class Felt {
  /// Fewer turns tell nothing of how long they take.
  private static final int FEWEST = 8;

  private static final int KEPT = 32;

  /// So many tell how long most take, though calls come in bursts.
  private static final int ENOUGH = 12;

  /// A part of a delay may be hidden behind what the others do meanwhile.
  private static final double FELT_SHARE = 0.5;

  /// Of turns in which the others were a whole turn ahead this many do not wait for anybody.
  private static final double MOST_AHEAD = 0.5;

  /// By chance few turns are shorter than their wait allows: far less of the waiting than this is
  /// theirs.
  private static final double MOST_UNFELT = 0.25;

  /// With a clock that was set all of its ranks are late in so many turns.
  private static final double MOST_OF_CLOCK = 0.9;

  /// A clock that was set is wrong for all calls.
  private static final double MOST_TOGETHER = 0.75;

  /// A rank that is late by this share of a round is late by much.
  private static final double PLAIN_SHARE = 0.1;

  /// What a clock is wrong by differs from turn to turn by less than this share of what turns
  /// differ by.
  private static final double STEADIER = 0.1;

  private Reservoir turnSeconds = new Reservoir(KEPT);
  private Reservoir lateSeconds = new Reservoir(KEPT);

  /// The same of the last of them, in a ring.
  private double[] lastTurns = new double[FEWEST];

  private double[] lastLate = new double[FEWEST];
  private int last;
  private Carried carried = new Carried();
  private Pace before = Pace.UNKNOWN;
  private Pace meanBefore = Pace.UNKNOWN;

  /// From the first late turn until the last one, and since then.
  private FirstTurns meanwhile = new FirstTurns();

  private FirstTurns inTimeSince = new FirstTurns();
  private int turns;
  private int ahead;

  /// Turns that stand for others, which were left out: what lies between two of them is no turn's
  /// length.
  private int sampled;

  /// When the first late turn was complete, and the last one, by {@link Turn#workedNanos}, and what
  /// came between.
  private long firstNanos;

  private long untilNanos;
  private long firstRound;
  private long rounds;
  private double waitedSeconds;

  /// Turns since then with a call to which all came together.
  private int together;

  /// The same since it was late last; these count once it is late again, for its clock may have
  /// been measured anew.
  private int togetherSince;

  /// Seconds that a round took before, NaN if that is not known.
  private double roundSeconds = Double.NaN;

  /// Turns in which all ranks of its clock were late.
  private int wholeClock;

  /// Whether a wrong clock may be all that there is.
  private boolean clockAlone;

  void late(Turn turn, int rank) {
    if (turns++ == 0) {
      firstNanos = turn.workedNanos();
      firstRound = turn.untilRound();
    } else {
      rounds = turn.untilRound() - firstRound;
      waitedSeconds += turn.lateSeconds(rank);
    }
    together += togetherSince + (turn.together(turn.lateSeconds(rank)) ? 1 : 0);
    togetherSince = 0;
    untilNanos = turn.workedNanos();
    meanwhile.addAll(inTimeSince);
    inTimeSince = new FirstTurns();
    meanwhile.add(turn.workedSeconds());
    ahead += turn.ahead() ? 1 : 0;
    sampled += turn.weight() > 1 ? 1 : 0;
    if (turn.seconds() > 0) {
      turnSeconds.add(turn.seconds());
      lateSeconds.add(turn.lateSeconds(rank));
      lastTurns[last] = turn.seconds();
      lastLate[last] = turn.lateSeconds(rank);
      last = (last + 1) % FEWEST;
    }
    carried.late(turn);
  }

  void inTime(Turn turn) {
    togetherSince += turn.together(typicalWait()) ? 1 : 0;
    inTimeSince.add(turn.workedSeconds());
  }

  /// The rank was late in the turn that was added last.
  ///
  /// @param all whether all ranks were that share its clock
  void lateWithItsClock(boolean all) {
    wholeClock += all ? 1 : 0;
  }

  boolean mayBeClock() {
    return turns >= FEWEST && wholeClock >= MOST_OF_CLOCK * turns;
  }

  /// All ranks that share the rank's clock seem late: a clock that was set looks so.
  ///
  /// @param seconds that a round took before, NaN if that is not known
  void clockAlone(double seconds) {
    clockAlone = true;
    if (Double.isNaN(roundSeconds)) {
      roundSeconds = seconds;
    }
  }

  /// How long turns took before it was late.
  ///
  /// @param middle the median
  /// @param mean the mean
  void before(Pace middle, Pace mean) {
    before = middle;
    meanBefore = mean;
  }

  /// False if the others did not wait, as far as turns tell. Where they tell nothing, lateness is
  /// believed, unless a clock that was set explains it.
  boolean felt() {
    return feltInFull() || grewBy() > 0;
  }

  /// Share of what it seemed late by that the others waited for, 0 to 1: where they were ahead,
  /// turns became longer by far less.
  double share() {
    double grown = mayHoldUp() && !feltInFull() ? grewBy() : 0; // asked often, and seldom so
    return grown > 0 ? Math.min(1, grown * (turns - 1) / waitedSeconds) : 1;
  }

  private boolean feltInFull() {
    if (tooShort() || clockAlone && toAll() && steady()) {
      return false;
    }
    boolean farAhead = farAhead();
    if (farAhead && clockAlone && !Double.isNaN(roundSeconds)) {
      return roundsTakeLonger(); // turns of a program whose calls come in bursts differ by more
      // than they tell
    }
    if (turnSeconds.size() < FEWEST || before.turns() < FEWEST) {
      return turns == 0
          || !farAhead && !carried.no(lateSeconds.quantile(0.5)) && !(clockAlone && clockWasSet());
    }
    var now = Pace.of(turnSeconds);
    double grown = now.seconds() - before.seconds();
    double error = now.error() + before.error();
    double late = typicalSeconds();
    if (grown + error < FELT_SHARE * late) {
      return false;
    }
    if (clockAlone && !Double.isNaN(roundSeconds) && before.scatter() > late) {
      // a step of several turns of which one alone can be late
      return roundsTakeLonger() && grown() > 0;
    }
    boolean grew = grown >= error;
    return grew || !(clockAlone && clockWasSet());
  }

  private boolean farAhead() {
    return ahead > MOST_AHEAD * turns;
  }

  /// Whether the others are ahead, by no clock's doing, and turns in a row were seen.
  private boolean mayHoldUp() {
    return farAhead() && !clockAlone && sampled == 0;
  }

  /// By how many seconds turns are known to have become longer since a rank fell behind others that
  /// run ahead; 0 if that is not known. Nobody waits for a rank that comes last and has time to
  /// spare, as one that reads the loss in every step; once it has none, all go at its pace, from
  /// then on and no longer. Where all ranks of a clock seem late it may have been set as the
  /// program slowed down.
  private double grewBy() {
    double grown = mayHoldUp() ? grown() : 0;
    double part = FELT_SHARE * grown;
    boolean laterOnly = meanwhile.leastHalf() < meanBefore.seconds() + part;
    boolean stays = inTimeSince.median(ENOUGH) > before.seconds() + part;
    return laterOnly || stays ? 0 : grown;
  }

  /// By how many seconds turns take longer than before on average, 0 if by no more than by chance.
  private double grown() {
    var now = meanwhile.mean();
    double grown = now.seconds() - meanBefore.seconds();
    return meanBefore.turns() >= FEWEST
            && grown >= now.error() + meanBefore.error() + Turn.LEAST_WAIT
        ? grown
        : 0;
  }

  /// Whether much of the waiting, and most of the last late turns, are seen to be too short for it.
  ///
  /// A clock may be set while its rank is late by a little, or while others pause now and then:
  /// that turns were longer for that reason proves nothing of the others, so each is held against
  /// its own wait. The turn in which a clock is set seems longer by what it is set by, once. Where
  /// a program's calls come in bursts since others wait for a rank, most turns are shorter than
  /// before, which no clock makes them.
  private boolean tooShort() {
    if (turnSeconds.size() < FEWEST || sampled > 0) {
      return false;
    }
    var took = turnSeconds.values();
    var late = lateSeconds.values();
    var usual = before.turns() >= FEWEST ? before : withoutWaits(took, late);
    var now = Pace.of(turnSeconds);
    if (now.seconds() + now.error() + usual.error() < usual.seconds()) {
      return false;
    }
    double all = 0;
    double longest = 0;
    double unfelt = 0;
    for (int turn = 0; turn < took.length; turn++) {
      all += late[turn];
      longest = Math.max(longest, late[turn]);
      unfelt += tooShort(took[turn], late[turn], usual) ? late[turn] : 0;
    }
    int ofLast = 0;
    for (int turn = 0; turn < FEWEST; turn++) {
      ofLast += tooShort(lastTurns[turn], lastLate[turn], usual) ? 1 : 0;
    }
    return unfelt > MOST_UNFELT * (all - longest) && ofLast >= FEWEST / 2;
  }

  private static boolean tooShort(double took, double late, Pace usual) {
    double grown = Math.max(0, took - usual.seconds());
    return grown + usual.scatter() < FELT_SHARE * late;
  }

  private static Pace withoutWaits(double[] took, double[] late) {
    var rest = new Reservoir(KEPT);
    for (int turn = 0; turn < took.length; turn++) {
      rest.add(Math.max(0, took[turn] - late[turn]));
    }
    return Pace.of(rest);
  }

  /// By how many seconds it was late in a late turn, as a rule.
  double typicalSeconds() {
    return lateSeconds.quantile(0.5);
  }

  private double typicalWait() {
    return turns < 2 ? 0 : waitedSeconds / (turns - 1);
  }

  /// Whether all that is seen is what a clock that was set looks like: the rank seems as late to
  /// all calls, and rounds take as long as before, or nobody knows how long they took.
  private boolean clockWasSet() {
    if (Double.isNaN(roundSeconds)) {
      return toAll() && !carried.yes();
    }
    // by chance ranks that are late by little come together now and then, and those late by much
    // seem to carry others along
    boolean plain = waitedSeconds / rounds >= PLAIN_SHARE * roundSeconds;
    return !roundsTakeLonger() && (plain ? toAll() : !carried.yes());
  }

  /// Whether it is as late to all calls of a turn.
  private boolean toAll() {
    return together <= MOST_TOGETHER * turns;
  }

  /// Whether it is late by the same in every turn, though turns differ: ranks that work longer than
  /// others do so by more at one time than at another, as turns do.
  private boolean steady() {
    return turnSeconds.size() >= FEWEST && spread(lateSeconds) < STEADIER * spread(turnSeconds);
  }

  private static double spread(Reservoir values) {
    return values.quantile(0.75) - values.quantile(0.25);
  }

  /// False if that is not known.
  private boolean roundsTakeLonger() {
    double now = Nanos.seconds(untilNanos - firstNanos) / rounds;
    return now - roundSeconds >= FELT_SHARE * waitedSeconds / rounds;
  }

  /// Whether it is known that turns took longer once the rank was late: it was in time before.
  boolean proven() {
    return turnSeconds.size() >= FEWEST && before.turns() >= FEWEST && felt();
  }

  /// Whether so many turns have been seen that it will not change.
  boolean settled() {
    return turnSeconds.size() >= FEWEST && (meanwhile.full() || !mayHoldUp());
  }
}
