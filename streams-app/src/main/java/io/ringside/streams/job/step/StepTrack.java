package io.ringside.streams.job.step;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.job.step.StepSeries.Observation;
import java.util.Locale;

/// The step times that one kind of line in one log file gives.
///
/// Some lines give the time a step took, others only how many steps were done at some moment; then
/// the difference to the line before counts. The clock is the line's own time where it has one, the
/// bar's elapsed seconds with a bar, else the sum of the steps' times.
public final class StepTrack {
  /// How many steps ranks may be apart: all may print their lines into one file, and none is much
  /// ahead of the others.
  private static final int RANKS_APART = 3;

  /// From this relative difference on, two steps do not compute the same amount.
  private static final double OTHER_WORK = 0.05;

  /// This many steps in a row that compute about as much are of one kind.
  private static final int SAME_WORK = 5;

  private static final long SECOND = 1_000_000_000L;

  /// A counter with fewer steps may count anything.
  private static final long MANY_STEPS = 10;

  private StepSource source = StepSource.PROGRESS_BAR;
  private long lastStep = -1;
  private long total = -1;
  private long newest = -1;
  private boolean again;
  private boolean over;
  private boolean ofEpochs;
  private double lastSeconds = Double.NaN;
  private double untimedSeconds;
  private double tokens = Double.NaN;
  private double work;
  private int alike;
  private double other;
  private int others;
  private long barNanos;
  private long lastAtNanos = NO_TIME;
  private boolean dated;
  private long beginNanos = NO_TIME;
  private boolean first = true;
  private final StepSeries series = new StepSeries();
  private final DrawnBar bar = new DrawnBar();
  private long untilNanos = NO_TIME;
  private long drawnBeforeNanos = NO_TIME;

  /// When its last step ended, by the clock of the series, including steps of another kind.
  private long endNanos = NO_TIME;

  private long longestNanos;

  StepTrack() {}

  StepTrack(StepSource source) {
    this.source = source;
  }

  /// Records how much a step computes. If several steps in a row compute another amount than
  /// several before them, they are another kind of step. Amounts that change all the time, such as
  /// those of texts of varying length, make no kinds, and neither does a single smaller batch.
  ///
  /// @param amount not above 0 if unknown
  /// @return whether steps are of another kind from now on
  boolean computes(double amount) {
    if (!(amount > 0)) {
      return false;
    }
    if (Math.abs(amount / work - 1) <= OTHER_WORK) {
      alike = others == 0 ? alike + 1 : 1;
      others = 0;
      return false;
    }
    if (Math.abs(amount / other - 1) <= OTHER_WORK) {
      others++;
    } else {
      other = amount;
      others = 1;
    }
    if (work != 0 && others < SAME_WORK) {
      return false;
    }
    boolean another = alike >= SAME_WORK;
    work = amount;
    alike = others;
    others = 0;
    return another;
  }

  /// Records how many tokens the steps work on from here on.
  ///
  /// @param amount NaN if unknown
  void worksOn(double amount) {
    tokens = amount;
  }

  /// Records how many steps there will be. If the counter starts again with another number of
  /// steps, the log holds another run.
  ///
  /// @param steps -1 if unknown
  void endsAfter(long step, long steps, Evidence line) {
    if (steps >= 0 && total >= 0 && steps != total && step < lastStep) {
      restart();
    }
    total = steps >= 0 ? steps : total;
    if (steps >= 0) {
      again |= step <= newest - RANKS_APART;
      ofEpochs |= line.text().toLowerCase(Locale.ROOT).contains("epoch");
      newest = step;
    }
  }

  /// Whether its counter has come to the last step that its lines name. If it has started again, or
  /// its lines name an epoch, it is unknown which time is the last.
  boolean complete() {
    return total >= MANY_STEPS && newest >= total && !again && !ofEpochs;
  }

  /// Records that this many steps were done at this moment.
  ///
  /// @param seconds on the clock of the lines, where only differences count
  /// @param resolution how exact such a difference is, in seconds; differences shorter than ten
  ///   times that are added up
  void reached(long step, double seconds, double resolution, long atNanos, Evidence line) {
    if (resolution > 0 && atNanos != NO_TIME) {
      // a bar's line may be written long after the bar was drawn, never before
      long begin = atNanos - Nanos.ofSeconds(seconds);
      beginNanos = beginNanos == NO_TIME ? begin : Math.min(beginNanos, begin);
    }
    if (step < lastStep || seconds < lastSeconds || lastStep < 0) {
      if (resolution > 0 && lastStep >= 0) {
        // the next epoch's bar: its seconds start again
        barNanos =
            atNanos == NO_TIME
                ? barNanos + Nanos.ofSeconds(lastSeconds)
                : atNanos - Nanos.ofSeconds(seconds) - beginNanos;
      }
      lastStep = step;
      lastSeconds = seconds;
      first = true;
      return;
    }
    long steps = step - lastStep;
    double took = seconds - lastSeconds;
    if (steps == 0 || took <= 0 || took < 10 * resolution) {
      return;
    }
    dated = resolution > 0 ? beginNanos != NO_TIME : true;
    if (!first) {
      observe(
          barNanos + Nanos.ofSeconds(lastSeconds),
          barNanos + Nanos.ofSeconds(seconds),
          steps,
          took,
          line);
    }
    first = false;
    lastStep = step;
    lastSeconds = seconds;
  }

  /// Records that the bar was drawn before this moment, if it has not come to its end.
  void drawnBefore(long atNanos) {
    drawnBeforeNanos = bar.count() < total ? atNanos : NO_TIME;
  }

  /// Records that about this many steps were done at this moment.
  ///
  /// @param exactness how far off the count may be, in steps; differences shorter than ten times
  ///   that are added up
  void reachedRoughly(long step, double exactness, double seconds, long atNanos, Evidence line) {
    if (lastStep < 0 || step < lastStep || step - lastStep >= 10 * exactness) {
      reached(step, seconds, 0, atNanos, line);
    }
  }

  /// Records that the steps since the line before took this long each.
  void iterations(long step, double secondsEach, long atNanos, Evidence line) {
    counts(step);
    if (lastStep >= 0 && step > lastStep) {
      took(step - lastStep, secondsEach * (step - lastStep), atNanos, line);
    }
    lastStep = step;
  }

  /// Records a loop's own line.
  ///
  /// @param step done so far, -1 if the line is about one step without its number
  /// @param secondsEach seconds that each step took, NaN if the line does not state it
  void loop(long step, double secondsEach, long atNanos, Evidence line) {
    if (step < 0) {
      took(1, secondsEach, atNanos, line);
      return;
    }
    if (step <= lastStep && step > lastStep - RANKS_APART) {
      return;
    }
    if (!Double.isNaN(secondsEach)) {
      iterations(step, secondsEach, atNanos, line);
    } else if (atNanos != NO_TIME && !coarse(atNanos)) {
      lastAtNanos = atNanos;
      reached(step, Nanos.seconds(atNanos), 0, atNanos, line);
    }
  }

  /// Whether timestamps of whole seconds are too close to show a difference.
  private boolean coarse(long atNanos) {
    return lastAtNanos != NO_TIME
        && atNanos % SECOND == 0
        && lastAtNanos % SECOND == 0
        && atNanos >= lastAtNanos
        && atNanos - lastAtNanos < 10 * SECOND;
  }

  void took(long steps, double seconds, long atNanos, Evidence line) {
    if (steps <= 0 || !(seconds > 0)) {
      return;
    }
    dated = atNanos != NO_TIME;
    long until = dated ? atNanos : Nanos.ofSeconds(untimedSeconds + seconds);
    untimedSeconds += seconds;
    observe(until - Nanos.ofSeconds(seconds), until, steps, seconds, line);
  }

  private void observe(long since, long until, long steps, double seconds, Evidence line) {
    if (series.segments().isEmpty()) {
      // with a line every ten steps the first is step 10; a resumed program begins with a larger
      // one
      series.beginsAfter(lastStep > 0 && lastStep <= steps ? lastStep : 0);
    }
    if (untilNanos != NO_TIME) {
      longestNanos = Math.max(longestNanos, until - untilNanos);
    }
    untilNanos = until;
    endNanos = until;
    series.add(new Observation(since, until, steps, seconds, tokens, line));
  }

  /// Records that the program has done its work: if the counter starts again, another program has
  /// begun.
  void done() {
    over = true;
  }

  /// Starts over if another program counts from here on.
  void counts(long step) {
    if (over && step >= 0 && step < lastStep) {
      restart();
      over = false;
      total = -1;
      newest = -1;
      again = false;
    }
  }

  /// Records that the steps are of another kind from now on.
  void restart() {
    series.clear();
    untilNanos = NO_TIME;
    lastStep = -1;
    lastSeconds = Double.NaN;
  }

  public StepSource source() {
    return source;
  }

  /// The drawn bar, if the track is of a bar.
  public DrawnBar bar() {
    return bar;
  }

  /// Number of steps that there will be, -1 if unknown.
  public long total() {
    return total;
  }

  /// The longest time between two of its lines, in nanoseconds.
  public long longestNanos() {
    return longestNanos;
  }

  /// When its last step ended, or the latest time by which it had; NO_TIME if no line shows it.
  long lastNanos() {
    long offset = offsetNanos();
    return offset == NO_TIME || endNanos == NO_TIME ? drawnBeforeNanos : offset + endNanos;
  }

  /// The newest step in its lines, -1 if there is none.
  public long lastStep() {
    return lastStep;
  }

  public StepSeries series() {
    return series;
  }

  /// What to add to the series' times to get nanoseconds of the Unix epoch; NO_TIME if unknown.
  public long offsetNanos() {
    if (!dated) {
      return NO_TIME;
    }
    return source == StepSource.PROGRESS_BAR ? beginNanos : 0;
  }
}
