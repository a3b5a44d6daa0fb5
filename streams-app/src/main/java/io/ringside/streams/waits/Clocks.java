package io.ringside.streams.waits;

import io.ringside.schemas.event.Nanos;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Estimates how far apart the clocks of a communicator's ranks are.
///
/// Ranks that write to one log file share a clock. In each round the earliest arrival of each
/// clock's ranks is compared with those of the other clocks. The estimate moves exactly with the
/// clocks, so a clock that is moved changes no wait. A clock with one rank that is late by the same
/// amount from its first round on cannot be told from a wrong clock.
final class Clocks {
  /// Quantile of the differences that is the offset. It is below the median, since lateness only
  /// adds; with two clocks, where it may add to either, the median counts.
  private static final double SHARE = 0.15;

  /// Number of first rounds that are left out: their times depend on compilation, allocation,
  /// connections.
  private static final int FIRST = 9;

  private static final int FEW = 16;

  /// This many steps make an estimate that is better than a longer one in which a rank was late.
  private static final int ENOUGH = 20;

  /// Fewer rounds do not show how long one takes.
  private static final int FEWEST_OF_FIRST = 8;

  /// More rounds include the warm-up.
  private static final int MOST_OF_FIRST = 64;

  /// Rounds between two updates of the medians.
  private static final int REFRESH = 16;

  /// Clock of each rank that calls, by the rank's place.
  private int[] clockOf;

  private final List<ClockOffset> offsets = new ArrayList<>();

  /// Medians of how far each clock is ahead of the first one. They are good enough to find the
  /// middle arrival, which raw times of few and wrong clocks do not show.
  private final List<ClockOffset> roughly = new ArrayList<>();

  private long[] rough;

  private TightRounds tight = new TightRounds();
  private ClockJumps jumps = new ClockJumps();

  private int rounds;

  /// When the rounds of the first estimates were noted, Unix epoch nanoseconds.
  private long[] firstNanos = new long[0];

  private int firstRounds;
  private transient long[] earliest;

  Clocks() {
    this(new int[0]);
  }

  private Clocks(int[] clockOf) {
    this.clockOf = clockOf;
    int clocks = Arrays.stream(clockOf).max().orElse(-1) + 1;
    int first = first(clocks);
    for (int clock = 0; clock < clocks; clock++) {
      offsets.add(offsetOf(clocks));
      if (clocks <= FEW) {
        roughly.add(new ClockOffset(0.5, first));
      }
    }
    rough = new long[roughly.size()];
    earliest = new long[clocks];
    firstNanos = new long[clocks < 2 ? 0 : first];
  }

  /// One clock for each distinct name, in the order of the names.
  ///
  /// @param names name of the clock of each rank that calls
  static Clocks of(List<String> names) {
    var numbers = new HashMap<String, Integer>();
    names.stream().distinct().sorted().forEach(name -> numbers.put(name, numbers.size()));
    return new Clocks(names.stream().mapToInt(numbers::get).toArray());
  }

  /// Checks whether a clock was set, before a round is noted.
  ///
  /// @param pauseSeconds seconds without a call between two turns, if a round is a step
  /// @return the clock and how far it was set; null if none is known to be set, or if that is not
  ///   decided yet, see {@link #unsure()}
  ClockJumps.@Nullable Jump look(long[] nanos, int roundsAStep, double pauseSeconds) {
    if (one()) {
      return null;
    }
    var jump = jumps.note(earliest(nanos), this::ofClocks, roundsAStep, pauseSeconds);
    if (jumps.late() >= 0) {
      settle(jumps.late(), roundsAStep);
    }
    return jump;
  }

  /// Records that the clock's ranks are late from now on. If the clock was measured often enough
  /// before, that is its first estimate.
  private void settle(int clock, int roundsAStep) {
    for (int each = 0; each < offsets.size(); each++) {
      // two clocks share one difference
      if (each == clock || offsets.size() == 2) {
        offsets.get(each).settle(ENOUGH * roundsAStep);
        if (each < roughly.size()) {
          roughly.get(each).settle(ENOUGH * roundsAStep);
        }
      }
    }
  }

  /// Whether a clock may have been set in one of the last rounds.
  boolean unsure() {
    return jumps.open();
  }

  /// Number of rounds for which that has been undecided.
  int unsureRounds() {
    return jumps.rounds();
  }

  /// Records that the next rounds do not follow directly on the last ones.
  void interrupted() {
    jumps.forget();
  }

  /// Records that the clock was set: earlier measurements are converted to what it shows now.
  void set(ClockJumps.Jump jump) {
    // few clocks are all measured by the first
    boolean byFirst = jump.clock() == 0 && offsets.size() <= FEW;
    for (int clock = 0; clock < offsets.size(); clock++) {
      if (byFirst ? clock > 0 : clock == jump.clock()) {
        long nanos = byFirst ? -jump.nanos() : jump.nanos();
        offsets.get(clock).set(nanos);
        tight.set(clock, nanos);
        if (clock < roughly.size()) {
          roughly.get(clock).set(nanos);
          rough[clock] += nanos;
        }
      }
    }
  }

  /// The first place whose times are by this clock.
  int firstOf(int clock) {
    int place = 0;
    while (clockOf[place] != clock) {
      place++;
    }
    return place;
  }

  private long[] earliest(long[] nanos) {
    var first = new long[offsets.size()];
    Arrays.fill(first, Long.MAX_VALUE);
    for (int place = 0; place < nanos.length; place++) {
      first[clockOf[place]] = Math.min(first[clockOf[place]], nanos[place]);
    }
    return first;
  }

  /// Notes the arrivals of one round, one time a rank that calls.
  ///
  /// @param late tests the places of ranks that are late: their clocks' estimates stay as they are
  void note(long[] nanos, IntPredicate late) {
    if (offsets.size() < 2 || rounds++ < FIRST) {
      return;
    }
    if (earliest == null || earliest.length != offsets.size()) {
      earliest = new long[offsets.size()];
    }
    var held = new boolean[offsets.size()];
    Arrays.fill(earliest, Long.MAX_VALUE);
    long last = Long.MIN_VALUE;
    for (int place = 0; place < nanos.length; place++) {
      int clock = clockOf[place];
      earliest[clock] = Math.min(earliest[clock], nanos[place]);
      last = Math.max(last, nanos[place]);
      held[clock] |= late.test(place);
    }
    if (firstRounds < firstNanos.length) {
      firstNanos[firstRounds++] = last;
    }
    if (offsets.size() == 2) {
      for (int clock = 0; clock < 2 && !held[0] && !held[1]; clock++) {
        offsets.get(clock).note(earliest[clock] - earliest[0], last);
      }
      return;
    }
    long middle = middle(held, last);
    for (int clock = 0; clock < earliest.length; clock++) {
      if (!held[clock]) {
        offsets.get(clock).note(earliest[clock] - middle, last);
      }
    }
    tight.note(earliest, middle, last);
  }

  /// Records that a rank turned out to be late since a moment: removes those rounds from its
  /// clock's estimate.
  ///
  /// @param roundsAStep rounds a step; those of one step show the same and count once
  void forget(int place, long sinceNanos, int roundsAStep) {
    if (offsets.size() < 2) {
      return;
    }
    int before = firstRounds;
    while (before > 0 && firstNanos[before - 1] > sinceNanos) {
      before--;
    }
    if (before < ENOUGH * Math.max(1, roundsAStep)) {
      return;
    }
    // two clocks share one difference
    int clock = offsets.size() == 2 ? 1 : clockOf[place];
    offsets.get(clock).keep(before);
    if (clock < roughly.size()) {
      roughly.get(clock).keep(before);
    }
  }

  /// How long a round took before a moment, in seconds, by the last rounds of the first estimate
  /// before it; NaN if those are too few. A single clock that is ahead does not change it.
  ///
  /// @param roundsAStep 0 if unknown: then more rounds are needed, so that a part of a step matters
  ///   little
  double roundSeconds(long beforeNanos, int roundsAStep) {
    int before = firstRounds;
    while (before > 0 && firstNanos[before - 1] >= beforeNanos) {
      before--;
    }
    int step = Math.max(1, roundsAStep);
    int rounds = Math.min(before - 1, Math.max(MOST_OF_FIRST, step)) / step * step;
    return rounds < (roundsAStep == 0 ? MOST_OF_FIRST : Math.max(step, FEWEST_OF_FIRST))
        ? Double.NaN
        : Nanos.seconds(workedNanos(before - 1 - rounds, before - 1)) / rounds;
  }

  /// Nanoseconds from one of the first rounds to another, without the excess of one rest among
  /// them: see [WorkBreaks].
  private long workedNanos(int from, int to) {
    long longest = 0;
    long next = 0;
    for (int round = from + 1; round <= to; round++) {
      long gap = firstNanos[round] - firstNanos[round - 1];
      next = Math.max(next, Math.min(gap, longest));
      longest = Math.max(longest, gap);
    }
    return firstNanos[to] - firstNanos[from] - WorkBreaks.excess(longest, next);
  }

  /// Whether all times come from one clock.
  boolean one() {
    return offsets.size() < 2;
  }

  /// The places of the ranks whose times come from the same clock as this one's, itself among them.
  Set<Integer> sharing(int place) {
    var sharing = new TreeSet<Integer>();
    for (int other = 0; other < clockOf.length; other++) {
      if (clockOf[other] == clockOf[place]) {
        sharing.add(other);
      }
    }
    return sharing;
  }

  /// Records that the clock of this rank was set, or drifts: earlier measurements are wrong.
  void restart(int place) {
    if (offsets.size() < 2) {
      return;
    }
    int clock = clockOf[place];
    // few clocks are measured by the first
    boolean all = clock == 0 && offsets.size() <= FEW;
    for (int each = 0; each < offsets.size(); each++) {
      if (each == clock || all || offsets.size() == 2) {
        offsets.set(each, offsetOf(offsets.size()));
      }
      if (each < roughly.size() && (each == clock || all)) {
        roughly.set(each, new ClockOffset(0.5, first(offsets.size())));
      }
    }
    rounds = Math.min(rounds, REFRESH);
    tight.forget();
  }

  private static ClockOffset offsetOf(int clocks) {
    return new ClockOffset(clocks == 2 ? 0.5 : SHARE, first(clocks));
  }

  private static int first(int clocks) {
    return clocks <= FEW ? 512 : 128;
  }

  /// When the clock came with which the others are compared: of many clocks the middle one; of few,
  /// relative to the first clock, the one after a quarter of them, since half of few ranks may
  /// often be late at the same time.
  private long middle(boolean[] held, long last) {
    var sorted = earliest.clone();
    if (sorted.length <= FEW) {
      for (int clock = 1; clock < sorted.length; clock++) {
        if (!held[0] && !held[clock]) {
          roughly.get(clock).note(earliest[clock] - earliest[0], last);
        }
        if (rounds < 2 * REFRESH || rounds % REFRESH == 0) {
          rough[clock] = roughly.get(clock).nanos();
        }
        sorted[clock] -= rough[clock];
      }
    }
    Arrays.sort(sorted);
    return sorted[(sorted.length - 1) / (sorted.length <= FEW ? 4 : 2)];
  }

  /// By how many seconds a rank's offset may be wrong: as much as most clocks' offsets, since the
  /// offset of a rank that is already late scatters more. Infinite while none was measured.
  double errorSeconds(int roundsAStep) {
    if (offsets.size() < 2) {
      return 0;
    }
    if (rounds <= FIRST) {
      return Double.POSITIVE_INFINITY;
    }
    var ofClock = new double[offsets.size()];
    for (int clock = 0; clock < ofClock.length; clock++) {
      ofClock[clock] = offsets.get(clock).errorSeconds(roundsAStep);
    }
    Arrays.sort(ofClock);
    return ofClock[offsets.size() == 2 ? 1 : (offsets.size() - 1) / 2];
  }

  /// What to subtract from the times of each rank that calls, in nanoseconds.
  long[] offsets() {
    var ofPlace = new long[clockOf.length];
    if (offsets.size() < 2) {
      return ofPlace;
    }
    var ofClock = ofClocks();
    for (int place = 0; place < ofPlace.length; place++) {
      ofPlace[place] = ofClock[clockOf[place]];
    }
    return ofPlace;
  }

  private long[] ofClocks() {
    var ofClock = new long[offsets.size()];
    for (int clock = 0; clock < ofClock.length; clock++) {
      ofClock[clock] = tight.bound(clock, offsets.get(clock).nanos());
    }
    return ofClock;
  }
}
