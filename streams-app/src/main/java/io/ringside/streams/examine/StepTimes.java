package io.ringside.streams.examine;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.job.step.StepSeries.Segment;
import io.ringside.streams.job.step.StepTrack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Evaluates a series of step times: how long a step normally takes, and when steps took longer.
///
/// The series is read from front to back. The median of the newest few lines is compared with the
/// median of all healthy lines before, and with that of the first lines, because slow growth raises
/// the former too. If it is well above, a slow stretch has begun, which lasts until the steps are
/// back. A single long step, such as a checkpoint or an evaluation, does not move a median.
public final class StepTimes {
  /// Factor from a median absolute deviation to a standard deviation, for a normal distribution.
  private static final double MAD_TO_SIGMA = 1.4826;

  /// Number of first lines, as a multiple of the lines of a baseline.
  private static final int EARLY = 3;

  /// Factor by which steps that grow slowly must exceed the first steps. Some of them are always
  /// long.
  private static final double GROWN = 1.45;

  /// Lines that are means over this many steps or more vary less …
  private static final int MANY_STEPS = 5;

  /// … so this share of a baseline's lines is enough of them.
  private static final double LINES_OF_MEANS = 0.7;

  /// Power of the tokens of a step that its time may grow with: most of it grows with the tokens,
  /// attention with their square.
  private static final double GROWTH = 1.5;

  private final List<Segment> segments;
  private final long offset;
  private final Thresholds.Steps limit;
  private final boolean[] slow;
  private final List<Stretch> stretches = new ArrayList<>();

  private StepTimes(StepTrack track, Thresholds.Steps limit) {
    this.segments = afterWarmUp(track.series().segments(), limit.warmUpSteps());
    this.offset = track.offsetNanos();
    this.limit = limit;
    this.slow = new boolean[segments.size()];
  }

  /// A stretch of steps that took longer than the steps before.
  ///
  /// @param before the last healthy segment
  /// @param first the first slow segment
  /// @param last the last slow segment
  /// @param baselineMillis milliseconds of a step before
  /// @param millis milliseconds of a step in the stretch
  /// @param lostSeconds extra wall-clock seconds over all steps of the stretch
  /// @param open whether the stretch lasts to the end of the series
  public record Stretch(
      Segment before,
      Segment first,
      Segment last,
      double baselineMillis,
      double millis,
      long steps,
      double lostSeconds,
      boolean open) {
    /// Ratio of the step time in the stretch to the step time before.
    public double ratio() {
      return millis / baselineMillis;
    }
  }

  /// Reads the track's series.
  public static StepTimes of(StepTrack track, Thresholds.Steps limit) {
    var times = new StepTimes(track, limit);
    times.read();
    return times;
  }

  /// A track that shows slow stretches.
  ///
  /// @param stretches at least one, oldest first
  public record Slowed(StepTrack track, List<Stretch> stretches) {}

  /// The first track that shows slow stretches: if one kind of line is too noisy, another may show
  /// them.
  ///
  /// @param tracks tracks in order of preference
  public static Optional<Slowed> slowed(Collection<StepTrack> tracks, Thresholds.Steps limit) {
    return tracks.stream()
        .map(track -> new Slowed(track, of(track, limit).stretches()))
        .filter(slowed -> !slowed.stretches().isEmpty())
        .findFirst();
  }

  /// Marks steps as slow here that another track of the run shows as slow, so that they do not
  /// count as healthy.
  public void agreeWith(Slowed slowed) {
    long from = slowed.track().offsetNanos();
    if (offset == NO_TIME || from == NO_TIME) {
      return;
    }
    for (int at = 0; at < segments.size(); at++) {
      long since = segments.get(at).sinceNanos() + offset - from;
      long until = segments.get(at).untilNanos() + offset - from;
      slow[at] |=
          slowed.stretches().stream()
              .anyMatch(it -> until > it.first().sinceNanos() && since < it.last().untilNanos());
    }
  }

  private static List<Segment> afterWarmUp(List<Segment> all, int steps) {
    long skipped = 0;
    int from = 0;
    while (from < all.size() && skipped < steps) {
      skipped += all.get(from++).steps();
    }
    return all.subList(from, all.size());
  }

  /// Slow stretches, oldest first.
  public List<Stretch> stretches() {
    return List.copyOf(stretches);
  }

  /// Median time of a healthy step, NaN before there are enough of them.
  public double baselineMillis() {
    var healthy = steps(0, segments.size(), true);
    return enough(healthy) ? healthy.median() : Double.NaN;
  }

  /// Median time of all steps after the first ones, NaN if there are none.
  public double medianMillis() {
    return steps(0, segments.size(), false).median();
  }

  /// Median time of the newest steps, NaN before there are enough of them.
  public double recentMillis() {
    int last = segments.size() - 1;
    return last >= 0 && enough(steps(0, segments.size(), false))
        ? steps(windowStart(last, 0), last + 1, false).median()
        : Double.NaN;
  }

  private void read() {
    int after = 0;
    int at = 0;
    var early = early();
    var before = new SortedSteps();
    int taken = 0;
    while (at < segments.size()) {
      int from = windowStart(at, after);
      for (; taken < from; taken++) {
        if (!slow[taken]) {
          before.add(segments.get(taken));
        }
      }
      double newest = steps(from, at + 1, false).median();
      boolean sudden = isAbove(newest, before);
      if (enough(before) && (sudden || newest > GROWN * early.median() && isAbove(newest, early))) {
        var base = sudden ? before : early;
        at = follow(at, (base.median() + threshold(base)) / 2, sudden);
        after = at;
        before = new SortedSteps(); // some of them may be marked slow now
        taken = 0;
      } else {
        at++;
      }
    }
  }

  /// The first steps, as many as exist.
  private SortedSteps early() {
    var early = new SortedSteps();
    for (int at = 0; at < segments.size() && early.lines() < EARLY * limit.baselineLines(); at++) {
      early.add(segments.get(at));
    }
    return early;
  }

  /// Follows a slow stretch from the place where it was noticed to its beginning and its end.
  ///
  /// @param edge steps above this many milliseconds are still slow
  /// @param sudden whether the stretch stands out against all steps before; slow growth must last
  ///   long
  /// @return the place after it
  private int follow(int at, double edge, boolean sudden) {
    int begin = at;
    while (begin > 1 && !slow[begin - 1] && millis(begin - 1) > edge) {
      begin--;
    }
    var before = steps(0, begin, true);
    int last = at;
    for (int next = at + 1; next < segments.size(); next++) {
      // halfway between the steps before and those in the stretch: below it, steps are back to
      // normal
      double halfway = (before.median() + steps(begin, last + 1, false).median()) / 2;
      double half = Math.max(edge, halfway);
      if (millis(next) > half) {
        last = next;
      } else if (steps(windowStart(next, begin), next + 1, false).median() <= half) {
        break;
      }
    }
    int end = last + 1;
    var stretch = steps(begin, end, false);
    if (enough(before) && isSlow(stretch, before) && (sudden || !isShort(stretch))) {
      double base = before.median();
      stretches.add(
          new Stretch(
              lastHealthy(begin),
              segments.get(begin),
              segments.get(last),
              base,
              stretch.median(),
              stretch.steps(),
              stretch.seconds() - stretch.steps() * base / 1000,
              end == segments.size()));
      Arrays.fill(slow, begin, end, true);
    }
    return end;
  }

  private boolean isSlow(SortedSteps stretch, SortedSteps before) {
    // if pauses fall into most lines, the lines between them are as before
    double more = growth(before, stretch);
    double halfway = (1 + limit.ratio()) / 2 * more * before.median();
    return stretch.lines() >= limit.slowLines()
        && stretch.steps() >= limit.slowSteps()
        && stretch.seconds() * 1000 >= limit.slowFor().toMillis()
        && stretch.median() >= limit.ratio() * more * before.median()
        && stretch.quantile(0.25) > more * before.quantile(isShort(stretch) ? 0.9 : 0.75)
        && stretch.quantile(isShort(stretch) ? 0.1 : 0.25) > halfway;
  }

  /// How many times as long steps may take because they work on more tokens, 1 if that is unknown.
  private static double growth(SortedSteps before, SortedSteps stretch) {
    double ratio = stretch.tokens() / before.tokens();
    return ratio > 1 ? Math.pow(ratio, GROWTH) : 1;
  }

  /// Whether the stretch has so few lines that they may be long by chance, as occasional batches
  /// are.
  private boolean isShort(SortedSteps stretch) {
    return stretch.lines() < 3L * limit.slowLines();
  }

  private Segment lastHealthy(int end) {
    int at = end - 1;
    while (slow[at]) {
      at--;
    }
    return segments.get(at);
  }

  /// Start of the newest segments up to this one that together have enough lines.
  private int windowStart(int at, int least) {
    int from = at;
    int lines = segments.get(at).observations();
    while (from > least && lines < limit.windowLines()) {
      lines += segments.get(--from).observations();
    }
    return from;
  }

  private boolean enough(SortedSteps healthy) {
    boolean means = healthy.steps() >= (long) MANY_STEPS * healthy.lines();
    double lines = (means ? LINES_OF_MEANS : 1) * limit.baselineLines();
    return healthy.lines() >= lines && healthy.steps() >= limit.baselineSteps();
  }

  private boolean isAbove(double millis, SortedSteps healthy) {
    // the deviation is more expensive than the median and seldom needed
    return millis > limit.ratio() * healthy.median() && millis > threshold(healthy);
  }

  /// The value in milliseconds that the median of the newest steps must exceed to be slow.
  private double threshold(SortedSteps healthy) {
    double base = healthy.median();
    return Math.max(
        limit.ratio() * base, base + limit.overNoise() * MAD_TO_SIGMA * healthy.deviation());
  }

  private double millis(int at) {
    return segments.get(at).medianMillis();
  }

  /// The steps of the segments from one place to another (exclusive), all or only the healthy ones.
  private SortedSteps steps(int from, int to, boolean healthy) {
    var steps = new SortedSteps();
    for (int at = from; at < to; at++) {
      if (!healthy || !slow[at]) {
        steps.add(segments.get(at));
      }
    }
    return steps;
  }
}
