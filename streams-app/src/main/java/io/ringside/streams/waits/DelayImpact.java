package io.ringside.streams.waits;

import io.ringside.schemas.event.Nanos;

/// Whether the other ranks felt that a rank was late.
///
/// If the others truly wait for a rank, their turns take longer by the time they wait. A clock that
/// was set or that drifts, or a program that calls long before its GPU needs the result, makes a
/// rank seem late in every turn, while turns take as long as before. How long they took before is
/// known from turns in which no rank was suspect. If those are few, since a clock was set soon
/// after the start, it is taken from the communicator's first rounds.
final class DelayImpact {
  /// Fewer turns do not show how long turns take.
  private static final int FEWEST = 8;

  private static final int KEPT = 32;

  /// This many turns show how long most take, even if calls come in bursts.
  private static final int ENOUGH = 12;

  /// Least share of a delay by which turns must become longer: a part of it may be hidden behind
  /// what the others do meanwhile.
  private static final double FELT_SHARE = 0.5;

  /// If the others were a whole turn ahead in more than this share of turns, they wait for no rank.
  private static final double MOST_AHEAD = 0.5;

  /// Most of the waiting that may be in turns too short for it. By chance few turns are shorter
  /// than their wait allows, and those hold far less of the waiting.
  private static final double MOST_UNFELT = 0.25;

  /// If a clock was set, all of its ranks are late in at least this share of turns.
  private static final double MOST_OF_CLOCK = 0.9;

  /// Most turns in which all ranks may come to a call together if a clock was set, since it is
  /// wrong for all calls.
  private static final double MOST_TOGETHER = 0.75;

  /// A rank that is late by this share of a round is late by much.
  private static final double PLAIN_SHARE = 0.1;

  /// The error of a clock varies from turn to turn by less than this share of how much turns vary.
  private static final double STEADIER = 0.1;

  private Reservoir turnSeconds = new Reservoir(KEPT);
  private Reservoir lateSeconds = new Reservoir(KEPT);

  /// Durations of the last of these turns, in a ring.
  private double[] lastTurns = new double[FEWEST];

  /// How late the rank was in those turns.
  private double[] lastLate = new double[FEWEST];

  private int last;
  private DelayPropagation propagation = new DelayPropagation();
  private Pace before = Pace.UNKNOWN;
  private Pace meanBefore = Pace.UNKNOWN;

  /// Turns from the first late turn until the last one.
  private FirstTurns meanwhile = new FirstTurns();

  /// Turns since the last late one.
  private FirstTurns inTimeSince = new FirstTurns();

  private int turns;
  private int ahead;

  /// Turns that stand for others, which were left out: the time between two such turns is not the
  /// length of a turn.
  private int sampled;

  /// When the first late turn was complete, by {@link Turn#workedNanos}.
  private long firstNanos;

  /// The same for the last late turn.
  private long untilNanos;

  private long firstRound;
  private long rounds;
  private double waitedSeconds;

  /// Turns since the first late one with a call to which all ranks came together.
  private int together;

  /// The same since it was last late. These turns count once it is late again, since its clock may
  /// have been measured again.
  private int togetherSince;

  /// Seconds that a round took before, NaN if unknown.
  private double roundSeconds = Double.NaN;

  /// Turns in which all ranks of its clock were late.
  private int wholeClock;

  /// Whether a wrong clock may be the only cause.
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
    propagation.late(turn);
  }

  void inTime(Turn turn) {
    togetherSince += turn.together(typicalWait()) ? 1 : 0;
    inTimeSince.add(turn.workedSeconds());
  }

  /// Records that the rank was late in the turn that was added last.
  ///
  /// @param all whether all ranks that share its clock were late
  void lateWithItsClock(boolean all) {
    wholeClock += all ? 1 : 0;
  }

  boolean mayBeClock() {
    return turns >= FEWEST && wholeClock >= MOST_OF_CLOCK * turns;
  }

  /// Records that all ranks that share the rank's clock seem late, as after a clock was set.
  ///
  /// @param seconds duration of a round before, NaN if unknown
  void clockAlone(double seconds) {
    clockAlone = true;
    if (Double.isNaN(roundSeconds)) {
      roundSeconds = seconds;
    }
  }

  /// Records how long turns took before it was late.
  ///
  /// @param middle the median
  /// @param mean the mean
  void before(Pace middle, Pace mean) {
    before = middle;
    meanBefore = mean;
  }

  /// False if the others did not wait, as far as turns show. If turns show nothing, lateness is
  /// believed, unless a clock that was set explains it.
  boolean delaysOthers() {
    return delaysInFull() || grewBy() > 0;
  }

  /// Share of the apparent lateness that the others waited for, 0 to 1. If they were ahead, turns
  /// became longer by far less.
  double share() {
    double grown = mayHoldUp() && !delaysInFull() ? grewBy() : 0; // called often, rarely true
    return grown > 0 ? Math.min(1, grown * (turns - 1) / waitedSeconds) : 1;
  }

  private boolean delaysInFull() {
    if (tooShort() || clockAlone && toAll() && steady()) {
      return false;
    }
    boolean farAhead = farAhead();
    if (farAhead && clockAlone && !Double.isNaN(roundSeconds)) {
      return roundsTakeLonger(); // turns of a program whose calls come in bursts vary
      // too much to show anything
    }
    if (turnSeconds.size() < FEWEST || before.turns() < FEWEST) {
      return turns == 0
          || !farAhead
              && !propagation.isRefuted(lateSeconds.quantile(0.5))
              && !(clockAlone && clockWasSet());
    }
    var now = Pace.of(turnSeconds);
    double grown = now.seconds() - before.seconds();
    double error = now.error() + before.error();
    double late = typicalSeconds();
    if (grown + error < FELT_SHARE * late) {
      return false;
    }
    if (clockAlone && !Double.isNaN(roundSeconds) && before.scatter() > late) {
      // a step of several turns, only one of which can be late
      return roundsTakeLonger() && grown() > 0;
    }
    boolean grew = grown >= error;
    return grew || !(clockAlone && clockWasSet());
  }

  private boolean farAhead() {
    return ahead > MOST_AHEAD * turns;
  }

  /// Whether the others are ahead, not because of a clock, and consecutive turns were seen.
  private boolean mayHoldUp() {
    return farAhead() && !clockAlone && sampled == 0;
  }

  /// By how many seconds turns are known to have become longer since a rank fell behind others that
  /// run ahead; 0 if unknown. No rank waits for one that comes last and has time to spare, such as
  /// one that reads the loss in every step. Once it has none left, all go at its pace, from then on
  /// and no longer. If all ranks of a clock seem late, it may have been set as the program slowed
  /// down.
  private double grewBy() {
    double grown = mayHoldUp() ? grown() : 0;
    double part = FELT_SHARE * grown;
    boolean laterOnly = meanwhile.leastHalf() < meanBefore.seconds() + part;
    boolean stays = inTimeSince.median(ENOUGH) > before.seconds() + part;
    return laterOnly || stays ? 0 : grown;
  }

  /// By how many seconds turns take longer than before on average, 0 if chance explains it.
  private double grown() {
    var now = meanwhile.mean();
    double grown = now.seconds() - meanBefore.seconds();
    return meanBefore.turns() >= FEWEST
            && grown >= now.error() + meanBefore.error() + Turn.LEAST_WAIT
        ? grown
        : 0;
  }

  /// Whether turns are too short for much of the waiting, and most of the last late turns for
  /// theirs.
  ///
  /// A clock may be set while its rank is late by a little, or while others pause now and then.
  /// That turns became longer for that reason proves nothing about the others, so each turn is
  /// compared with its own wait. The turn in which a clock is set seems longer by what it is set
  /// by, once. If a program's calls come in bursts because others wait for a rank, most turns are
  /// shorter than before, which no clock causes.
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

  /// By how many seconds it was late in a late turn, the median.
  double typicalSeconds() {
    return lateSeconds.quantile(0.5);
  }

  private double typicalWait() {
    return turns < 2 ? 0 : waitedSeconds / (turns - 1);
  }

  /// Whether everything looks like a clock that was set: the rank seems equally late to all calls,
  /// and rounds take as long as before, or it is unknown how long they took.
  private boolean clockWasSet() {
    if (Double.isNaN(roundSeconds)) {
      return toAll() && !propagation.isProven();
    }
    // by chance, ranks that are a little late sometimes come together with the others, and ranks
    // that are very late seem to carry others along
    boolean plain = waitedSeconds / rounds >= PLAIN_SHARE * roundSeconds;
    return !roundsTakeLonger() && (plain ? toAll() : !propagation.isProven());
  }

  /// Whether it is equally late to all calls of a turn.
  private boolean toAll() {
    return together <= MOST_TOGETHER * turns;
  }

  /// Whether it is late by the same amount in every turn, though turns vary. Ranks that work longer
  /// than others do so by a varying amount, as turns vary.
  private boolean steady() {
    return turnSeconds.size() >= FEWEST && spread(lateSeconds) < STEADIER * spread(turnSeconds);
  }

  private static double spread(Reservoir values) {
    return values.quantile(0.75) - values.quantile(0.25);
  }

  /// Whether rounds take longer than before; false if unknown.
  private boolean roundsTakeLonger() {
    double now = Nanos.seconds(untilNanos - firstNanos) / rounds;
    return now - roundSeconds >= FELT_SHARE * waitedSeconds / rounds;
  }

  /// Whether turns are known to have taken longer once the rank was late, while it was in time
  /// before.
  boolean proven() {
    return turnSeconds.size() >= FEWEST && before.turns() >= FEWEST && delaysOthers();
  }

  /// Whether turns are known, beyond doubt, to take longer than before by at least half of what the
  /// rank is late by.
  boolean shown() {
    if (turnSeconds.size() < FEWEST || before.turns() < FEWEST || tooShort()) {
      return false;
    }
    var now = Pace.of(turnSeconds);
    double grown = now.seconds() - before.seconds() - now.error() - before.error();
    return grown >= FELT_SHARE * typicalSeconds();
  }

  /// Whether so many turns have been seen that the result will not change.
  boolean settled() {
    return turnSeconds.size() >= FEWEST && (meanwhile.full() || !mayHoldUp());
  }
}
