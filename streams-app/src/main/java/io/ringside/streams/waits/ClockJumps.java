package io.ringside.streams.waits;

import io.ringside.schemas.event.Nanos;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Tells a clock that was set from ranks that begin to be late, before any rank is judged by it.
///
/// ```text
///                      by the clocks of others          by the clock itself
///   its ranks are late  ● 5 ● 5 ● 7 ● 7 ● 7 ●            all turns take longer from then on
///   it was set          ● 5 ● 5 ● 5 ● 5 ● 5 ●            one turn takes longer, by the jump
/// ```
///
/// In both cases all calls of one clock come later, or earlier, from one round on. While that lasts
/// the rounds are held back, until enough turns have passed to compare the pace right before with
/// the pace since. A rank that is truly late makes all others' turns longer by as much, and shorter
/// again once it is in time. So no later stage ever sees the wrong clock. What is still open after
/// some more turns is left to [DelayImpact].
///
/// Times are nanoseconds.
final class ClockJumps {
  /// Rounds that show how much clocks usually differ.
  private static final int KEPT = 32;

  private static final int FEWEST = 8;

  /// Rounds between two updates of what is usual.
  private static final int REFRESH = 8;

  /// Number of turns before a suspicion that are kept.
  private static final int TURNS = 13;

  /// Least number of turns before the suspicion, and since.
  private static final int LEAST_TURNS = 9;

  /// After this many turns the question is left open.
  private static final int MOST_TURNS = 18;

  /// A clock that was set by less, in nanoseconds, does no harm.
  private static final long LEAST = 10_000_000;

  /// Share of the rounds since the suspicion that may look as before: ranks of other clocks are
  /// late now and then too.
  private static final double MOST_USUAL = 0.2;

  /// If turns take longer by at least this share of the lateness, they do so because of it.
  private static final double FELT = 0.5;

  /// If turns take longer by more than this share of it, they do so for another reason.
  private static final double MOST_FELT = 1.5;

  /// How far calls differ that are made right after a collective, in nanoseconds.
  private static final double CLOSE = 2e6;

  private static final double FAR_LESS = 8;

  /// Another clock's ranks take over if they change by at least this share of the clock's change.
  private static final double TAKEN_OVER = 0.4;

  /// A change of less than this share of the clock's change does not show in the pace.
  private static final double SHOWS = 0.25;

  /// How far each clock was ahead of the first one, by round, in a ring.
  private final List<long[]> rows = new ArrayList<>();

  private int next;
  private int sinceRefresh;

  /// The usual difference of each clock from the first one.
  private long[] level = new long[0];

  /// How much earlier and later than the others' each clock's calls usually come.
  private long[] low = new long[0];

  private long[] high = new long[0];

  /// When the last turns began, by the clocks in time, the oldest first.
  private final List<Long> begun = new ArrayList<>();

  private long last = Long.MIN_VALUE;
  private long rounds;

  /// The clock that may have been set, -1 if none.
  private int suspect = -1;

  /// The clock whose ranks the last round showed to be late, -1 if none.
  private transient int late = -1;

  private boolean ahead;
  private int usual;
  private final List<long[]> since = new ArrayList<>();
  private final List<Long> begunSince = new ArrayList<>();

  /// A clock that was set.
  ///
  /// @param nanos by how much, forwards if positive
  record Jump(int clock, long nanos) {}

  /// Whether a clock may have been set in one of the last rounds, which is not decided yet.
  boolean open() {
    return suspect >= 0;
  }

  /// Number of rounds for which that has been undecided.
  int rounds() {
    return since.size();
  }

  /// The clock that the last round showed to be right, with ranks that are late since some moment;
  /// -1 if there is none.
  int late() {
    return late;
  }

  /// Adds a round.
  ///
  /// @param earliest earliest call of each clock
  /// @param offsets how far each clock is taken to be ahead
  /// @param roundsAStep rounds a step, 0 if unknown
  /// @param pauseSeconds seconds without a call between two turns, if a round is a step
  /// @return the clock that was set, null if none is known to be
  @Nullable Jump note(
      long[] earliest, Supplier<long[]> offsets, int roundsAStep, double pauseSeconds) {
    late = -1;
    if (earliest.length < 2 || roundsAStep == 0) {
      forget();
      return null;
    }
    var row = new long[earliest.length];
    for (int clock = 0; clock < row.length; clock++) {
      row[clock] = earliest[clock] - earliest[0];
    }
    if (rows.size() < FEWEST) {
      keep(row);
      begin(earliest, row, roundsAStep, pauseSeconds);
      return null;
    }
    if (level.length != row.length || sinceRefresh >= REFRESH) {
      refresh(row.length);
    }
    boolean begins = begin(earliest, row, roundsAStep, pauseSeconds);
    if (suspect < 0) {
      suspect(row);
      if (suspect < 0) {
        keep(row);
        return null;
      }
      if (begins) {
        begun.removeLast();
        begunSince.add(last);
      }
    } else {
      usual += out(row, suspect) == (ahead ? 1 : -1) ? 0 : 1;
    }
    since.add(row);
    if (usual > 1 + MOST_USUAL * since.size()) {
      resume();
      return null;
    }
    return begunSince.size() < LEAST_TURNS ? null : decide(offsets.get());
  }

  /// Starts over: rounds before the next one were left out, or other ranks call from now on.
  void forget() {
    rows.clear();
    begun.clear();
    next = 0;
    level = new long[0];
    last = Long.MIN_VALUE;
    settle();
  }

  private void settle() {
    suspect = -1;
    usual = 0;
    since.clear();
    begunSince.clear();
  }

  /// Continues with what was usual before.
  private void resume() {
    since.forEach(this::keep);
    begunSince.forEach(this::keepTurn);
    settle();
  }

  /// Takes the rounds since the suspicion as usual from now on.
  private void goOn() {
    rows.clear();
    next = 0;
    since.subList(Math.max(0, since.size() - KEPT), since.size()).forEach(this::keep);
    begun.clear();
    begunSince.forEach(this::keepTurn);
    level = new long[0];
    settle();
  }

  private void keep(long[] row) {
    if (rows.size() < KEPT) {
      rows.add(row);
    } else {
      rows.set(next, row);
      next = (next + 1) % KEPT;
    }
    sinceRefresh++;
  }

  private void keepTurn(long at) {
    begun.add(at);
    if (begun.size() > TURNS) {
      begun.removeFirst();
    }
  }

  /// Notes when a turn begins.
  private boolean begin(long[] earliest, long[] row, int roundsAStep, double pauseSeconds) {
    long at = earliest[0] + reference(row);
    boolean begins =
        roundsAStep > 1
            ? rounds++ % roundsAStep == 0
            : last == Long.MIN_VALUE || at - last >= pauseSeconds * 1e9;
    last = at;
    if (begins && suspect >= 0) {
      begunSince.add(at);
    } else if (begins) {
      keepTurn(at);
    }
    return begins;
  }

  /// When the clocks in time come, after the first clock: the earlier one of two, the middle one of
  /// more.
  private long reference(long[] row) {
    var sorted = new long[row.length];
    for (int clock = 0; clock < row.length; clock++) {
      sorted[clock] = row[clock] - (level.length == row.length ? level[clock] : 0);
    }
    Arrays.sort(sorted);
    return sorted[row.length == 2 ? 0 : (row.length - 1) / 2];
  }

  private void refresh(int clocks) {
    sinceRefresh = 0;
    level = new long[clocks];
    var values = new long[rows.size()];
    for (int clock = 0; clock < clocks; clock++) {
      for (int i = 0; i < values.length; i++) {
        values[i] = rows.get(i)[clock];
      }
      Arrays.sort(values);
      level[clock] = values[values.length / 2];
    }
    low = new long[clocks];
    high = new long[clocks];
    var apart = new long[clocks][values.length];
    for (int i = 0; i < values.length; i++) {
      var row = rows.get(i);
      long middle = middle(row);
      for (int clock = 0; clock < clocks; clock++) {
        apart[clock][i] = apart(row, clock, middle);
      }
    }
    for (int clock = 0; clock < clocks; clock++) {
      Arrays.sort(apart[clock]);
      int tenth = values.length / 10;
      low[clock] = apart[clock][tenth];
      high[clock] = apart[clock][values.length - 1 - tenth];
    }
  }

  private long middle(long[] row) {
    if (row.length == 2) {
      return 0;
    }
    var sorted = new long[row.length];
    for (int clock = 0; clock < row.length; clock++) {
      sorted[clock] = row[clock] - level[clock];
    }
    Arrays.sort(sorted);
    return sorted[(row.length - 1) / 2];
  }

  /// How much later than usual the clock's calls come, compared with the middle clock's.
  private long apart(long[] row, int clock, long middle) {
    return row[clock] - level[clock] - middle;
  }

  /// Suspects the clock that is farthest from its usual difference.
  private void suspect(long[] row) {
    long middle = middle(row);
    long most = 0;
    for (int clock = row.length == 2 ? 1 : 0; clock < row.length; clock++) {
      int out = out(row, clock, middle);
      long far = Math.abs(apart(row, clock, middle));
      if (out != 0 && far > most) {
        most = far;
        suspect = clock;
        ahead = out > 0;
      }
    }
  }

  private int out(long[] row, int clock) {
    return out(row, clock, middle(row));
  }

  /// 1 if its calls come clearly later than usual, -1 if clearly earlier, else 0.
  private int out(long[] row, int clock, long middle) {
    long apart = apart(row, clock, middle);
    long margin = Math.max(LEAST, high[clock] - low[clock]);
    return apart > high[clock] + margin ? 1 : apart < low[clock] - margin ? -1 : 0;
  }

  private @Nullable Jump decide(long[] offsets) {
    var before = Pace.of(paces(begun));
    var now = Pace.of(paces(begunSince));
    if (before.turns() < LEAST_TURNS - 1) {
      goOn();
      return null;
    }
    long jump = median(since, suspect) - median(rows, suspect);
    double grown = now.seconds() - before.seconds();
    double error = Math.hypot(now.error(), before.error());
    double expected = waited(offsets, jump) - waited(offsets, 0);
    boolean shows = Math.abs(expected) >= SHOWS * Math.abs(jump) / 1e9;
    double felt = shows ? grown / expected : Math.abs(grown) / Nanos.seconds(Math.abs(jump));
    double doubt = error / (shows ? Math.abs(expected) : Nanos.seconds(Math.abs(jump)));
    boolean real = felt - doubt >= FELT && felt - doubt <= MOST_FELT;
    late = real && shows && expected > 0 ? suspect : -1;
    boolean set = Math.abs(felt) + doubt < FELT || !real && constant(jump, error);
    if (set && !takenOver(jump)) {
      var found = new Jump(suspect, jump);
      goOn();
      return found;
    }
    if (set || real || begunSince.size() >= MOST_TURNS) {
      goOn();
    }
    return null;
  }

  /// Whether the clock is ahead by the same amount in nearly all rounds since, and by the same in
  /// those before, while turns differ by far more. A late rank is late by as much as its work
  /// takes, which varies as all work does, and once that is over it is in time by the same amount
  /// in all rounds.
  private boolean constant(long jump, double errorSeconds) {
    double spread = Math.max(spread(since), spread(rows));
    return spread <= CLOSE
        && spread * FAR_LESS <= Math.abs(jump)
        && spread * FAR_LESS <= errorSeconds * 1e9;
  }

  /// Whether another clock's ranks came to be late by as much as these no longer are, or the other
  /// way round, so that turns take as long as before. Two clocks are not set against each other in
  /// the same turn, but late ranks take turns: a backup goes from host to host.
  private boolean takenOver(long jump) {
    for (int clock = 0; clock < level.length; clock++) {
      if (clock != suspect && level.length > 2) {
        long moved = apart(since, clock, suspect) - apart(rows, clock, suspect);
        if (Long.signum(moved) == -Long.signum(jump)
            && Math.abs(moved) >= TAKEN_OVER * Math.abs(jump)) {
          return true;
        }
      }
    }
    return false;
  }

  /// How much the suspect's lead over the others varies in the middle half of these rounds.
  private double spread(List<long[]> of) {
    var values = new double[of.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = apart(of.get(i), suspect, middleWithout(of.get(i), suspect, suspect));
    }
    Arrays.sort(values);
    return values[values.length * 3 / 4] - values[values.length / 4];
  }

  /// How long the ranks in time wait in a turn, in seconds.
  ///
  /// @param more how much later the calls of the suspect come, in nanoseconds
  private double waited(long[] offsets, long more) {
    var late = new long[level.length];
    for (int clock = 0; clock < late.length; clock++) {
      late[clock] = level[clock] - offsets[clock] + (clock == suspect ? more : 0);
    }
    Arrays.sort(late);
    return Nanos.seconds(
        late[late.length - 1] - late[late.length == 2 ? 0 : (late.length - 1) / 2]);
  }

  private static Reservoir paces(List<Long> begun) {
    var paces = new Reservoir(TURNS);
    for (int turn = 1; turn < begun.size(); turn++) {
      paces.add(Nanos.seconds(begun.get(turn) - begun.get(turn - 1)));
    }
    return paces;
  }

  /// The middle of the clocks without these: their own calls, which may be the last ones since,
  /// would move the middle of all.
  private long middleWithout(long[] row, int clock, int another) {
    var sorted = new long[row.length];
    int others = 0;
    for (int each = 0; each < row.length; each++) {
      if (each != clock && each != another) {
        sorted[others++] = row[each] - level[each];
      }
    }
    Arrays.sort(sorted, 0, others);
    return sorted[(others - 1) / 2];
  }

  /// The median of how much later than the others' the clock's calls come.
  private long median(List<long[]> of, int clock) {
    return apart(of, clock, clock);
  }

  /// @param another a clock that does not count among the others
  private long apart(List<long[]> of, int clock, int another) {
    var values = new long[of.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = apart(of.get(i), clock, middleWithout(of.get(i), clock, another));
    }
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
