package io.ringside.streams.waits;

import io.ringside.schemas.event.Nanos;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Tells a clock that was set from ranks that begin to be late, before anybody is judged by it.
///
/// ```text
///                      by the clocks of others          by the clock itself
///   its ranks are late  ● 5 ● 5 ● 7 ● 7 ● 7 ●            all turns take longer from then on
///   it was set          ● 5 ● 5 ● 5 ● 5 ● 5 ●            one turn takes longer, by what it was set by
/// ```
///
/// Either way all calls of one clock come later from one round on, or earlier. While that goes on
/// the rounds are held back, until so many turns have passed that the pace of those right before
/// and of those since can be compared: who is truly late makes all others' turns longer by as much,
/// and shorter once it is in time again. So nothing of what follows ever sees the wrong clock. What
/// stays open after some more turns is left to what [Felt] makes of it.
///
/// Times are nanoseconds.
final class ClockJumps {
  /// Rounds from which it is known what clocks usually differ by.
  private static final int KEPT = 32;

  private static final int FEWEST = 8;

  /// Rounds between two looks at what is usual.
  private static final int REFRESH = 8;

  /// Turns whose pace is known before, and how many are needed on either side.
  private static final int TURNS = 13;

  private static final int LEAST_TURNS = 9;

  /// So many turns later it stays open.
  private static final int MOST_TURNS = 18;

  /// A clock that was set by less does no harm.
  private static final long LEAST = 10_000_000;

  /// Of the rounds since so many may look as before: ranks of other clocks are late, too, now and
  /// then.
  private static final double MOST_USUAL = 0.2;

  /// Turns that take longer by this share of the lateness were longer for it.
  private static final double FELT = 0.5;

  /// Turns that take longer by more than this share of it were longer for something else.
  private static final double MOST_FELT = 1.5;

  /// Nanoseconds by which calls differ that are made right after a collective.
  private static final double CLOSE = 2e6;

  private static final double FAR_LESS = 8;

  /// A change of less than this share of what the clock changed by shows in no pace.
  private static final double SHOWS = 0.25;

  /// How far each clock was ahead of the first one, by round, in a ring.
  private final List<long[]> rows = new ArrayList<>();

  private int next;
  private int sinceRefresh;

  /// What the clocks usually differ by, each from the first one, and how much earlier and later
  /// than the others' its calls come.
  private long[] level = new long[0];

  private long[] low = new long[0];
  private long[] high = new long[0];

  /// When the last turns began, by those in time, the oldest first.
  private final List<Long> begun = new ArrayList<>();

  private long last = Long.MIN_VALUE;
  private long rounds;

  /// The clock that may have been set, -1 if none.
  private int suspect = -1;

  /// The one whose ranks were found to be late from the last round on that was looked at, -1 if
  /// none was.
  private transient int late = -1;

  private boolean ahead;
  private int usual;
  private final List<long[]> since = new ArrayList<>();
  private final List<Long> begunSince = new ArrayList<>();

  /// A clock was set.
  ///
  /// @param nanos by how much, forwards if positive
  record Jump(int clock, long nanos) {}

  /// Whether a clock may have been set in one of the last rounds: nobody knows yet.
  boolean open() {
    return suspect >= 0;
  }

  /// For how many rounds that has been so.
  int rounds() {
    return since.size();
  }

  /// The clock of which the last round showed that it was right, and that its ranks are late since
  /// a moment; -1 if there is none.
  int late() {
    return late;
  }

  /// Takes in a round.
  ///
  /// @param earliest calls by clock
  /// @param offsets what each clock is taken to be ahead by
  /// @param roundsAStep 0 if that does not show
  /// @param pauseSeconds without a call between two turns, where a round is a step
  /// @return the clock that was set, null if none was as far as is known
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

  /// What was left out lies before the next round, or others call from now on.
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

  /// All is as it was.
  private void resume() {
    since.forEach(this::keep);
    begunSince.forEach(this::keepTurn);
    settle();
  }

  /// From now on it is as it has been since.
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

  /// When those in time come, after the first clock's: of two the earlier, of more the one in the
  /// middle.
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

  /// How much later than those in the middle the clock's calls come than they usually do.
  private long apart(long[] row, int clock, long middle) {
    return row[clock] - level[clock] - middle;
  }

  /// The clock that is farthest from where it usually is.
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

  /// 1 if its calls come later than they ever do, -1 if earlier.
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
    if (Math.abs(felt) + doubt < FELT || !real && constant(jump, error)) {
      var found = new Jump(suspect, jump);
      goOn();
      return found;
    }
    if (real || begunSince.size() >= MOST_TURNS) {
      goOn();
    }
    return null;
  }

  /// Whether the clock is ahead by the same in nearly all rounds since, as in those before, while
  /// turns differ by far more. Who is late is so by as much as its work takes, which differs as all
  /// work does, and is in time by the same in all rounds once it is over.
  private boolean constant(long jump, double errorSeconds) {
    double spread = Math.max(spread(since), spread(rows));
    return spread <= CLOSE
        && spread * FAR_LESS <= Math.abs(jump)
        && spread * FAR_LESS <= errorSeconds * 1e9;
  }

  /// By how much the suspect is ahead of the others differs in the middle half of these rounds.
  private double spread(List<long[]> of) {
    var values = new double[of.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = apart(of.get(i), suspect, middleOfOthers(of.get(i), suspect));
    }
    Arrays.sort(values);
    return values[values.length * 3 / 4] - values[values.length / 4];
  }

  /// For how long those in time wait in a turn, in seconds.
  ///
  /// @param more how much later the calls of the suspect come
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

  /// The clock's own calls, which may be the last ones since, move the middle of all.
  private long middleOfOthers(long[] row, int clock) {
    var sorted = new long[row.length - 1];
    for (int each = 0; each < row.length; each++) {
      if (each != clock) {
        sorted[each < clock ? each : each - 1] = row[each] - level[each];
      }
    }
    Arrays.sort(sorted);
    return sorted[(sorted.length - 1) / 2];
  }

  private long median(List<long[]> of, int clock) {
    var values = new long[of.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = apart(of.get(i), clock, middleOfOthers(of.get(i), clock));
    }
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
