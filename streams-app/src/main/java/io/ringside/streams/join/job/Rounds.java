package io.ringside.streams.join.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.join.fact.Arrivals;
import io.ringside.streams.join.fact.TimeBasis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/// The collective rounds of one communicator: calls of all its ranks, aligned by ordinal, gathered in
/// windows of event time and judged window by window.
///
/// Rounds complete in the order of their ordinals whatever the order in which ranks' lines come in, so
/// everything here depends on the lines alone, not on their interleaving.
public final class Rounds {
  /// Width of a window.
  public static final long WINDOW_NANOS = 5_000_000_000L;

  /// A window counts against a rank if the others waited for it at least this share of the time …
  private static final double BAD_SHARE = 0.05;

  /// … and if at least this share of all such waits was for it.
  private static final double BAD_BLAME = 0.7;

  /// A streak lives on over this much time without a bad window.
  private static final long PATIENCE_WINDOWS = 3;

  /// A wait is real if it is longer than this, in seconds, …
  private static final double LEAST_WAIT = 0.010;

  /// … and than this many times what the ranks before the last usually come apart.
  private static final double OVER_NOISE = 6;

  /// With two ranks a late one is part of the noise; its healthy quarter is the measure.
  private static final double HEALTHY_QUARTER = 0.25;

  /// Calls of a rank that wait for others; more are given up.
  private static final int MAX_PENDING = 50_000;

  private static final int MAX_SAMPLES = 4;

  private int nranks;
  private Pending[] pending = new Pending[0];
  private boolean[] seen = new boolean[0];
  private String[] clockOfRank = new String[0];
  private TimeBasis basis = TimeBasis.CONTAINER;
  private final TreeMap<Long, Map<Integer, Evidence>> proofs = new TreeMap<>();

  private long completed;
  private long mismatched;
  private long untimed;
  private long givenUp;
  private long late;
  private double lostSeconds;
  private long firstNanos = NO_TIME;
  private long lastNanos = NO_TIME;
  private double[] waitSeconds = new double[0];
  private double[] blamedSeconds = new double[0];
  private long[] lastRounds = new long[0];

  private Clocks clocks = new Clocks();
  private Reservoir noise = new Reservoir();
  private StepPeriod period = new StepPeriod();
  private long coveredUntil = Long.MIN_VALUE;
  private long window = Long.MIN_VALUE;
  private List<Round> inWindow = new ArrayList<>();
  private final Map<Integer, Streak> open = new TreeMap<>();
  private final List<Streak> closed = new ArrayList<>();
  private final List<Evidence> samples = new ArrayList<>();
  private WaitSeries series = new WaitSeries();

  Rounds() {}

  Rounds(int nranks) {
    this.nranks = nranks;
    pending = new Pending[nranks];
    Arrays.setAll(pending, _ -> new Pending());
    seen = new boolean[nranks];
    clockOfRank = new String[nranks];
    Arrays.fill(clockOfRank, "");
    waitSeconds = new double[nranks];
    blamedSeconds = new double[nranks];
    lastRounds = new long[nranks];
    series = new WaitSeries(nranks);
  }

  /// One complete round of the current window.
  record Round(long ordinal, long[] nanos, Map<Integer, Evidence> proofs) {}

  /// Takes in calls of one rank.
  ///
  /// @param clock names the clock of the times: the log source
  /// @param evidence turns a proof into a line of evidence
  void add(Arrivals calls, String clock, Function<Arrivals.Proof, Evidence> evidence) {
    int rank = calls.rank();
    if (rank < 0 || rank >= nranks) {
      return;
    }
    if (!seen[rank]) {
      seen[rank] = true;
      clockOfRank[rank] = clock;
      clocks = Clocks.of(clockOfRank);
    }
    if (calls.basis().ordinal() > basis.ordinal()) {
      basis = calls.basis();
    }
    for (var proof : calls.proofs()) {
      proofs
          .computeIfAbsent(proof.ordinal(), _ -> new TreeMap<>())
          .put(rank, evidence.apply(proof));
    }
    var queue = pending[rank];
    for (int i = 0; i < calls.nanos().length; i++) {
      queue.add(calls.firstOrdinal() + i, calls.nanos()[i], calls.signatures()[i]);
    }
    while (queue.size() > MAX_PENDING) {
      giveUp();
    }
    closeComplete(nranks);
  }

  /// No lines came for a while: judges what the window holds so far.
  void idle() {
    judgeWindow();
  }

  /// No more lines will come: judges what is left. Rounds that all ranks with lines have reached count
  /// even if other ranks have no lines at all.
  void end() {
    int participants = participants();
    if (participants >= 2 && participants < nranks) {
      closeComplete(participants);
    }
    judgeWindow();
  }

  private int participants() {
    int count = 0;
    for (boolean any : seen) {
      count += any ? 1 : 0;
    }
    return count;
  }

  private void closeComplete(int needed) {
    while (true) {
      long ordinal = Long.MAX_VALUE;
      int ready = 0;
      for (var queue : pending) {
        if (!queue.isEmpty()) {
          ready++;
          ordinal = Math.min(ordinal, queue.firstOrdinal());
        }
      }
      if (ready < needed) {
        return;
      }
      close(ordinal, needed);
    }
  }

  private void close(long ordinal, int needed) {
    var nanos = new long[nranks];
    Arrays.fill(nanos, NO_TIME);
    int arrived = 0;
    int timed = 0;
    Integer signature = null;
    boolean alike = true;
    for (int rank = 0; rank < nranks; rank++) {
      var queue = pending[rank];
      if (queue.isEmpty() || queue.firstOrdinal() != ordinal) {
        continue;
      }
      arrived++;
      nanos[rank] = queue.firstNanos();
      timed += nanos[rank] == NO_TIME ? 0 : 1;
      alike &= signature == null || signature == queue.firstSignature();
      signature = queue.firstSignature();
      queue.removeFirst();
    }
    proofs.headMap(ordinal).clear();
    var lines = proofs.remove(ordinal);
    if (arrived < needed) {
      givenUp++;
      return;
    }
    completed++;
    if (!alike) {
      if (mismatched++ == 0) {
        samples.clear();
      }
    }
    if (lines != null && samples.size() < MAX_SAMPLES) {
      lines.values().stream().limit(MAX_SAMPLES - samples.size()).forEach(samples::add);
    }
    if (!alike) {
      return;
    }
    if (timed < needed) {
      untimed++;
      return;
    }
    period.add(signature == null ? 0 : signature);
    take(new Round(ordinal, nanos, lines == null ? Map.of() : lines));
  }

  private void giveUp() {
    long ordinal = Long.MAX_VALUE;
    for (var queue : pending) {
      if (!queue.isEmpty()) {
        ordinal = Math.min(ordinal, queue.firstOrdinal());
      }
    }
    for (var queue : pending) {
      if (!queue.isEmpty() && queue.firstOrdinal() == ordinal) {
        queue.removeFirst();
      }
    }
    proofs.headMap(ordinal + 1).clear();
    givenUp++;
  }

  private void take(Round round) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (long at : round.nanos()) {
      if (at != NO_TIME) {
        first = Math.min(first, at);
        last = Math.max(last, at);
      }
    }
    firstNanos = firstNanos == NO_TIME ? first : Math.min(firstNanos, first);
    lastNanos = Math.max(lastNanos, last);
    if (participants() == nranks) {
      clocks.note(round.nanos());
    }
    long of = Math.floorDiv(last, WINDOW_NANOS);
    if (of > window) {
      judgeWindow();
      window = of;
    }
    inWindow.add(round);
  }

  private void judgeWindow() {
    if (inWindow.isEmpty() || !basis.fine()) {
      inWindow.clear();
      return;
    }
    var offsets = clocks.offsets();
    for (var round : inWindow) {
      noise.add(Arrival.of(round.nanos(), offsets).noise());
    }
    double threshold =
        Math.max(
            LEAST_WAIT, OVER_NOISE * noise.quantile(nranks == 2 ? HEALTHY_QUARTER : 0.5) / 1e9);
    var blamed = new TreeMap<Integer, Streak>();
    double allBlamed = 0;
    for (var round : inWindow) {
      var arrival = Arrival.of(round.nanos(), offsets);
      for (int rank = 0; rank < nranks; rank++) {
        if (round.nanos()[rank] != NO_TIME) {
          long from = Math.max(round.nanos()[rank] - offsets[rank], coveredUntil);
          double waited = Math.max(0, arrival.lastNanos() - from) / 1e9;
          waitSeconds[rank] += waited;
          series.waited(window, rank, waited);
        }
      }
      double gap = (arrival.lastNanos() - Math.max(arrival.secondNanos(), coveredUntil)) / 1e9;
      if (gap >= threshold) {
        int rank = arrival.lastRank();
        late++;
        lostSeconds += gap;
        allBlamed += gap;
        blamedSeconds[rank] += gap;
        lastRounds[rank]++;
        series.lost(window, rank, gap);
        blamed
            .computeIfAbsent(rank, Streak::new)
            .late(arrival.firstNanos(), arrival.lastNanos(), gap, arrival.proofs(round.proofs()));
      }
      coveredUntil = Math.max(coveredUntil, arrival.lastNanos());
    }
    note(blamed, allBlamed, inWindow.size());
    inWindow.clear();
  }

  private void note(Map<Integer, Streak> blamed, double allBlamed, int rounds) {
    int stepRounds = blamed.isEmpty() ? 0 : period.rounds();
    for (var streak : open.values()) {
      var own = blamed.get(streak.rank());
      streak.passed(rounds, allBlamed - (own == null ? 0 : own.blamedSeconds()));
    }
    for (var streak : blamed.values()) {
      double seconds = streak.blamedSeconds();
      if (seconds >= BAD_SHARE * WINDOW_NANOS / 1e9 && seconds >= BAD_BLAME * allBlamed) {
        streak.window(window, rounds, stepRounds, allBlamed - seconds);
        open.merge(streak.rank(), streak, this::joined);
      }
    }
    open.values()
        .removeIf(
            streak -> {
              boolean over = window - streak.lastWindow() > PATIENCE_WINDOWS;
              if (over) {
                closed.add(streak);
              }
              return over;
            });
  }

  private Streak joined(Streak earlier, Streak later) {
    if (later.lastWindow() - earlier.lastWindow() > PATIENCE_WINDOWS) {
      closed.add(earlier);
      return later;
    }
    earlier.extend(later);
    return earlier;
  }

  /// Streaks that are over, oldest first.
  public List<Streak> closedStreaks() {
    return List.copyOf(closed);
  }

  /// Streaks that may go on.
  public List<Streak> openStreaks() {
    return List.copyOf(open.values());
  }

  /// Whether the newest judged window came without a bad one for the streak's rank.
  public boolean quiet(Streak streak) {
    return window > streak.lastWindow() + 1;
  }

  /// Some lines of its calls: of the first rounds that disagree, if any do, else of the first of all.
  public List<Evidence> samples() {
    return List.copyOf(samples);
  }

  /// The worst basis of the ranks' times.
  public TimeBasis basis() {
    return basis;
  }

  /// Rounds that all ranks were seen to reach.
  public long completed() {
    return completed;
  }

  /// Rounds in which ranks called different operations: lines were lost, or the program is wrong.
  public long mismatched() {
    return mismatched;
  }

  /// Rounds that not all ranks were seen to reach before too many others waited behind them.
  public long givenUp() {
    return givenUp;
  }

  /// Rounds without times.
  public long untimed() {
    return untimed;
  }

  /// Rounds in which all waited for one rank, overlapping ones counted once.
  public long late() {
    return late;
  }

  /// Wall-clock seconds lost in those.
  public double lostSeconds() {
    return lostSeconds;
  }

  /// Seconds this rank waited for others.
  public double waitSeconds(int rank) {
    return waitSeconds[rank];
  }

  /// Seconds the others waited for this rank alone.
  public double blamedSeconds(int rank) {
    return blamedSeconds[rank];
  }

  /// Late rounds in which this rank was the last.
  public long lastRounds(int rank) {
    return lastRounds[rank];
  }

  /// The same over time.
  public WaitSeries series() {
    return series;
  }

  /// Unix epoch nanoseconds of the first call in a complete round, NO_TIME if none.
  public long firstNanos() {
    return firstNanos;
  }

  /// Unix epoch nanoseconds of the last call in a complete round, NO_TIME if none.
  public long lastNanos() {
    return lastNanos;
  }
}
