package io.ringside.streams.waits;

import static io.ringside.schemas.event.LogChunk.NO_TIME;
import static io.ringside.streams.waits.Suspicion.Odds.LONG_WAITS;
import static io.ringside.streams.waits.Suspicion.Odds.ROUNDS;
import static io.ringside.streams.waits.Suspicion.Odds.STALLS;
import static io.ringside.streams.waits.Suspicion.Odds.STEPS;
import static java.util.stream.Collectors.toSet;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.waits.Suspicion.Odds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which ranks waited for which in the complete rounds of one communicator, judged second by second
/// of event time. Seconds cover all rounds: those that were left out count as much as those beside
/// them.
public final class Waits {
  /// Rounds of this much event time are judged together, with fixed clock offsets.
  private static final long BATCH_NANOS = 1_000_000_000L;

  /// Rounds that come faster are judged sooner: at most this many timestamps are held.
  private static final int MOST_IN_BATCH = 1 << 20;

  private static final long[] NONE = new long[0];

  /// A wait is real if it is longer than {@link Turn#LEAST_WAIT} and than this share of a step, or,
  /// if steps do not show …
  private static final double LEAST_SHARE = 0.02;

  /// … than this many times the usual distance between the ranks before the late ones. Rounds of
  /// one step depend on each other there, so that one hiccup may look like many.
  private static final double OVER_NOISE = 6;

  /// With two ranks a late one is part of the noise, so the healthy quarter of it is the measure.
  private static final double HEALTHY_QUARTER = 0.25;

  /// From this share of a step on a wait is long.
  private static final double LONG_SHARE = 0.5;

  /// If this many rounds show no steps, there are none.
  private static final int MANY = 512;

  /// This few turns by a wrong clock convict no rank.
  private static final int MOST_AT_ONCE = 2;

  /// A rank that was not late for this long is no longer late.
  private static final long QUIET_NANOS = 10_000_000_000L;

  private int nranks;
  private long late;
  private double lostSeconds;
  private long firstNanos = NO_TIME;
  private long lastNanos = NO_TIME;
  private long begunNanos = NO_TIME;
  private long longestPauseNanos;

  /// The ranks that call, in order. Their times in each round, and the sums below, are in these
  /// places.
  private int[] ranks = new int[0];

  private double[] waitSeconds = new double[0];
  private double[] blamedSeconds = new double[0];
  private long[] lastRounds = new long[0];

  private Clocks clocks = new Clocks();
  private final WrongStamps wrongStamps = new WrongStamps();
  private Reservoir noise = new Reservoir(256);
  private Turns turns = new Turns();
  private Suspicions suspicions = new Suspicions();

  /// The same over turns with a wait only: finds a rank that others wait for every few steps, while
  /// they never wait for another one.
  private Suspicions amongWaits = new Suspicions();

  /// The same over turns with a long wait: if healthy ranks differ much, some rank is waited for in
  /// every step.
  private Suspicions amongLongWaits = new Suspicions();

  /// The same over turns with a stall, however rare they are.
  private Suspicions amongStalls = new Suspicions();

  private Stalls stalls = new Stalls();

  private HeldUp heldUp = new HeldUp();

  /// Wait that was counted in earlier rounds of this turn, in nanoseconds. A rank that holds up the
  /// others is late to all calls of a step by what it was late by to the first.
  private long carriedNanos;

  private UsualTurns usual = new UsualTurns();

  private double weightOfLast = 1;
  private SampleWeight extent = new SampleWeight();
  private long coveredUntil = Long.MIN_VALUE;
  private WorkBreaks workBreaks = new WorkBreaks();
  private long batch = Long.MIN_VALUE;
  private WaitSeries series = new WaitSeries();
  private MissingTime missing = new MissingTime();
  private final List<Round> inBatch = new ArrayList<>();

  /// Rounds since a clock may have been set, until that is known.
  private final List<Round> held = new ArrayList<>();

  /// How often ranks were convicted since this was read.
  private transient long convictions;

  /// The last round that came. The next one shows whether its timestamps can be true.
  private @Nullable Round latest;

  /// Timestamps of the round before that one, empty if there is none.
  private long[] before = new long[0];

  Waits() {}

  Waits(int nranks) {
    this.nranks = nranks;
    series = new WaitSeries(nranks);
  }

  /// One complete round of the current batch.
  ///
  /// @param nanos times of the ranks that call, by their places
  record Round(int signature, long[] nanos, Map<Integer, Evidence> proofs) {}

  /// Records that other ranks call from now on, and their clocks.
  void callers(int[] callers, List<String> clockOf) {
    judge();
    before = NONE;
    var waited = new double[callers.length];
    var blamed = new double[callers.length];
    var last = new long[callers.length];
    for (int place = 0; place < callers.length; place++) {
      int was = place(callers[place]);
      if (was >= 0) {
        waited[place] = waitSeconds[was];
        blamed[place] = blamedSeconds[was];
        last[place] = lastRounds[was];
      }
    }
    waitSeconds = waited;
    blamedSeconds = blamed;
    lastRounds = last;
    ranks = callers;
    clocks = Clocks.of(clockOf);
  }

  /// Place of a rank's times; negative if it does not call.
  private int place(int rank) {
    return rank < ranks.length && ranks[rank] == rank ? rank : Arrays.binarySearch(ranks, rank);
  }

  /// How far the clock of a rank's times is ahead of the others', in nanoseconds; 0 if unknown.
  public long aheadNanos(int rank) {
    int place = place(rank);
    return place < 0 ? 0 : clocks.offsets()[place];
  }

  /// Timestamps that were not believed, and clocks that were set.
  public WrongStamps wrongStamps() {
    return wrongStamps;
  }

  /// Adds the next round, with the times of all ranks that have lines.
  void take(Round round) {
    settle(round.nanos());
    latest = round;
  }

  /// Puts the last round that came into the batch.
  ///
  /// @param after timestamps of the round after it, empty if unknown
  private void settle(long[] after) {
    var round = latest;
    if (round == null) {
      return;
    }
    latest = null;
    ImpossibleStamps.mend(
        before,
        round.nanos(),
        after,
        (place, by) -> wrongStamps.impossible(ranks[place], by, round.proofs().get(ranks[place])));
    before = round.nanos();
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (long at : round.nanos()) {
      if (at != NO_TIME) {
        first = Math.min(first, at);
        last = Math.max(last, at);
      }
    }
    if (begunNanos != NO_TIME) {
      longestPauseNanos = Math.max(longestPauseNanos, first - begunNanos);
    }
    begunNanos = first;
    firstNanos = firstNanos == NO_TIME ? first : Math.min(firstNanos, first);
    lastNanos = last;
    held.add(round);
    var jump = clocks.look(round.nanos(), turns.roundsAStep(), turns.pauseSeconds());
    if (jump != null) {
      judgeBatch();
      clocks.set(jump);
      wrongStamps.set(ranks[clocks.firstOf(jump.clock())], jump.nanos());
    }
    if (held.size() * (long) ranks.length >= MOST_IN_BATCH) {
      clocks.interrupted();
    }
    if (!clocks.unsure()) {
      release();
    }
  }

  private void release() {
    held.forEach(this::collect);
    held.clear();
  }

  private void collect(Round round) {
    clocks.note(round.nanos(), place -> suspicions.accused(ranks[place]));
    long last = Long.MIN_VALUE;
    for (long at : round.nanos()) {
      last = Math.max(last, at);
    }
    long of = Math.floorDiv(last, BATCH_NANOS);
    if (of != batch || inBatch.size() * (long) ranks.length >= MOST_IN_BATCH) {
      judgeBatch();
      batch = of;
    }
    inBatch.add(round);
  }

  /// Judges everything so far. The next rounds do not follow directly on it.
  void judge() {
    settle(NONE);
    clocks.interrupted();
    release();
    judgeBatch();
  }

  /// Judges everything so far, except rounds that must wait for more to show whether a clock was
  /// set.
  void idle() {
    settle(NONE);
    if (clocks.unsureRounds() <= MOST_AT_ONCE) {
      release();
    }
    judgeBatch();
  }

  private void judgeBatch() {
    if (inBatch.isEmpty()) {
      return;
    }
    var offsets = clocks.offsets();
    double error = clocks.errorSeconds(turns.roundsAStep());
    double least = least();
    for (int i = 0; i < inBatch.size(); i++) {
      judge(i, offsets, error, least);
    }
    inBatch.clear();
  }

  /// How often a rank was convicted of being late by more than chance, since this object was made
  /// or read.
  public long convictions() {
    return convictions;
  }

  /// Number of rounds that wait to be judged.
  int held() {
    return inBatch.size() + held.size() + (latest == null ? 0 : 1);
  }

  /// Records that the next rounds are left out.
  void pause() {
    judge();
    turn(turns.pause(), clocks.errorSeconds(turns.roundsAStep()), least());
  }

  /// Records that this many rounds before the next one were left out.
  void leftOut(long rounds) {
    pause();
    extent.leftOut(rounds, lastNanos);
  }

  /// Seconds from which on a wait is real.
  private double least() {
    return turns.steps()
        ? Math.max(Turn.LEAST_WAIT, LEAST_SHARE * turns.stepSeconds())
        : Math.max(
            Turn.LEAST_WAIT, OVER_NOISE * noise.quantile(nranks == 2 ? HEALTHY_QUARTER : 0.5));
  }

  /// Forgets what the batch holds: its times are too coarse.
  void skip() {
    settle(NONE);
    clocks.interrupted();
    held.clear();
    inBatch.clear();
  }

  private void judge(int index, long[] offsets, double error, double least) {
    var round = inBatch.get(index);
    var arrival = Arrival.of(ranks, round.nanos(), offsets, coveredUntil);
    double weight = extent.next(arrival.firstNanos());
    if (coveredUntil != Long.MIN_VALUE) {
      workBreaks.next(arrival.firstNanos() - coveredUntil);
    }
    var called = arrival;
    if (arrival.lostSeconds() >= MissingTime.LEAST_ROUND) {
      long busy =
          heldUp.holds()
              ? arrival.othersNanos() + carriedNanos
              : busyUntil(index, arrival, offsets);
      arrival = arrival.busyUntil(busy);
      carriedNanos += Math.round(1e9 * arrival.lostSeconds());
      missing.round(arrival, ranks, round.nanos(), offsets, Math.max(coveredUntil, busy), weight);
    }
    for (int place = 0; place < ranks.length; place++) {
      if (round.nanos()[place] != NO_TIME) {
        long from = Math.max(round.nanos()[place] - offsets[place], coveredUntil);
        double waited = Nanos.seconds(Math.max(0, arrival.lastNanos() - from));
        waitSeconds[place] += weight * waited;
        series.waited(window(arrival), ranks[place], waited);
        if (weight > 1) {
          series.waited(window(extent.standsFor()), ranks[place], waited, weight - 1);
        }
      }
    }
    // no earlier than before, as each rank calls this round after the last one, unless that had a
    // wrong stamp
    coveredUntil = arrival.lastNanos();
    noise.add(arrival.spacingSeconds());
    if (arrival.lostSeconds() >= least) {
      late++;
      lostSeconds += weight * arrival.lostSeconds();
      lastRounds[place(arrival.late()[0])]++;
      series.lost(window(arrival), arrival.late()[0], arrival.lostSeconds());
      if (weight > 1) {
        series.lost(
            window(extent.standsFor()), arrival.late()[0], (weight - 1) * arrival.lostSeconds());
      }
      for (int i = 0; i < arrival.late().length; i++) {
        blamedSeconds[place(arrival.late()[i])] += weight * arrival.lateSeconds()[i];
      }
    }
    weightOfLast = weight;
    int lateRanks = arrival.late().length;
    turn(
        turns.add(
            round.signature(),
            arrival,
            called,
            round.proofs(),
            line -> LateRound.of(line, ranks, round.nanos(), offsets, lateRanks),
            workBreaks.nanos()),
        error,
        least);
  }

  private void turn(@Nullable Turn turn, double error, double least) {
    if (turn == null) {
      return;
    }
    carriedNanos = 0;
    turn.weight(turns.weight(weightOfLast));
    turn.untilRound(turns.rounds());
    if (turns.steps()) {
      missing.turn(turn);
    }
    var verdict = turn.verdict(least, error, ranks.length / 2);
    for (var convicted : weigh(suspicions, turn, verdict, turns.steps() ? STEPS : ROUNDS)) {
      clocks.forget(place(convicted.rank()), convicted.sinceNanos(), turns.roundsAStep());
    }
    if (turns.steps()) {
      var called = turn.asCalled();
      var found = called.verdict(least, error, ranks.length / 2);
      heldUp.turn(called, found, ranks.length, stepSeconds());
    }
    boolean usually = !suspicions.anySuspect() && !heldUp.suspects();
    if (turns.steps() && turn.seconds() > 0 && usually) {
      usual.add(turn.workedSeconds(), verdict.clear() ? verdict.ranks() : Set.of());
    }
    if (turns.steps()) {
      weigh(amongWaits, turn, verdict, ROUNDS);
      double spare = verdict.seconds() - LONG_SHARE * turns.stepSeconds();
      if (spare >= 0) {
        weigh(amongLongWaits, turn, verdict, LONG_WAITS);
      } else if (!verdict.ranks().isEmpty() && spare + error >= 0) {
        weigh(amongLongWaits, turn, verdict.unclear(), LONG_WAITS);
      }
    }
    if (stalls.next(verdict.seconds(), turns.stepSeconds())) {
      weigh(amongStalls, turn, verdict, STALLS);
    }
    if (turns.steps() || turns.rounds() >= MANY) {
      acquit();
    }
  }

  private List<Streak> weigh(Suspicions by, Turn turn, Turn.Verdict verdict, Odds odds) {
    var convicted = by.turn(turn, verdict, ranks.length, odds, usual, stepSeconds());
    convictions += convicted.size();
    if (!clocks.one() && !extent.anyLeftOut()) {
      for (var streak : by.leads()) {
        var sharing = sharing(streak.rank());
        if (verdict.ranks().contains(streak.rank())) {
          streak.lateWithItsClock(verdict.ranks().containsAll(sharing));
        }
        if (streak.mayBeClock() || by.suspects(sharing)) {
          streak.clockAlone(clocks.roundSeconds(streak.sinceNanos(), turns.roundsAStep()));
        }
      }
    }
    return convicted;
  }

  /// Takes back suspicions against ranks that no rank waited for. If all ranks of a clock seem late
  /// in this way, the clock is wrong and is measured again.
  private void acquit() {
    var unfelt = suspicions.open().stream().filter(Streak::delaysNobody).toList();
    var ranks = unfelt.stream().map(Streak::rank).collect(toSet());
    for (var streak : unfelt) {
      if (streak.mayBeClock() || ranks.containsAll(sharing(streak.rank()))) {
        clocks.restart(place(streak.rank()));
      }
      int place = place(streak.rank());
      // a rank that is blamed for less elsewhere would seem to have waited for it
      blamedSeconds[place] = Math.max(0, blamedSeconds[place] - streak.blamedSeconds());
    }
    for (int rank : ranks) {
      suspicions.drop(rank);
      usual.acquitted(rank);
      amongWaits.drop(rank);
      amongLongWaits.drop(rank);
      amongStalls.drop(rank);
    }
  }

  /// The ranks whose times come from the same clock as this one's, itself among them.
  private Set<Integer> sharing(int rank) {
    return clocks.sharing(place(rank)).stream().map(place -> ranks[place]).collect(toSet());
  }

  private static long window(Arrival arrival) {
    return window(arrival.lastNanos());
  }

  private static long window(long nanos) {
    return Math.floorDiv(nanos, Rounds.WINDOW_NANOS);
  }

  /// Until when ranks that were in time called the next rounds before the late ones came. Programs
  /// run ahead of their GPUs, and a rank that still calls does not wait yet.
  private long busyUntil(int index, Arrival arrival, long[] offsets) {
    long until = Long.MIN_VALUE;
    for (int next = index + 1; next < inBatch.size(); next++) {
      boolean ahead = false;
      var nanos = inBatch.get(next).nanos();
      for (int place = 0; place < nanos.length; place++) {
        long at = nanos[place] == NO_TIME ? Long.MAX_VALUE : nanos[place] - offsets[place];
        if (at < arrival.lastNanos()) {
          ahead = true;
          until = arrival.isLate(ranks[place]) ? until : Math.max(until, at);
        }
      }
      if (!ahead) {
        break;
      }
    }
    return until;
  }

  /// Stretches of time in which a rank was late by more than chance and that are over, oldest
  /// first.
  public List<Streak> closedStreaks() {
    return List.copyOf(suspicions.closed());
  }

  /// The same for stretches that may go on.
  public List<Streak> openStreaks() {
    return suspicions.open();
  }

  /// Stretches that may go on, including those that may still be mere chance.
  public List<Streak> leads() {
    return suspicions.leads();
  }

  /// Stretches in which nearly every wait, or every long one, was for one rank, however rare waits
  /// were: those that are over, then those that may go on.
  public List<Streak> streaksAmongWaits() {
    var all = new ArrayList<>(amongWaits.closed());
    all.addAll(amongWaits.open());
    all.addAll(amongLongWaits.closed());
    all.addAll(amongLongWaits.open());
    return all;
  }

  /// Stretches in which nearly every stall was for one rank, including those that may still be mere
  /// chance.
  public List<Streak> stalls() {
    var all = new ArrayList<>(amongStalls.closed());
    all.addAll(amongStalls.leads());
    return all;
  }

  /// Whether the rank has been in time lately.
  public boolean quiet(Streak streak) {
    return lastNanos - streak.untilNanos()
        > Math.max(QUIET_NANOS, Math.round(3e9 * stepSeconds())) + extent.gapNanos();
  }

  /// How often a rank that was late in one turn is late in the next one: the median of all ranks
  /// but this one, 0 to 1.
  public double persistence(int rank) {
    return suspicions.persistence(rank, ranks.length);
  }

  /// Rounds in which all others waited for one rank or a few.
  public long late() {
    return late;
  }

  /// Wall-clock seconds lost in those rounds.
  public double lostSeconds() {
    return lostSeconds;
  }

  /// Seconds this rank waited for others.
  public double waitSeconds(int rank) {
    int place = place(rank);
    return place < 0 ? 0 : waitSeconds[place];
  }

  /// Seconds the others waited for this rank, alone or with a few.
  public double blamedSeconds(int rank) {
    int place = place(rank);
    return place < 0 ? 0 : blamedSeconds[place];
  }

  /// Late rounds in which this rank was the last.
  public long lastRounds(int rank) {
    int place = place(rank);
    return place < 0 ? 0 : lastRounds[place];
  }

  /// Waits over time.
  public WaitSeries series() {
    return series;
  }

  /// How long which ranks alone were missing, over time.
  public MissingTime missing() {
    return missing;
  }

  /// Unix epoch nanoseconds of the first call in a complete round, NO_TIME if none.
  public long firstNanos() {
    return firstNanos;
  }

  /// Unix epoch nanoseconds of the last call in a complete round, NO_TIME if none.
  public long lastNanos() {
    return lastNanos;
  }

  /// The longest pause that calls have come back from, in nanoseconds: the time between the first
  /// calls of two rounds, which a single timestamp far ahead does not change.
  public long longestPauseNanos() {
    return longestPauseNanos;
  }

  /// How long a turn usually takes, in seconds; 0 at first.
  public double stepSeconds() {
    return turns.stepSeconds();
  }

  /// Number of rounds in a step, 0 if steps do not show.
  int roundsAStep() {
    return turns.roundsAStep();
  }
}
