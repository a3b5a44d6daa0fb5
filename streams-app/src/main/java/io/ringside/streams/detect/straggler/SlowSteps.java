package io.ringside.streams.detect.straggler;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.job.step.StepSeries.Segment;
import io.ringside.streams.job.step.StepTrack;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Finds the longest time in which the steps of a track were slow while the others were not. A
/// single fast line within it and a few slow lines outside are allowed. This is coarser than
/// [io.ringside.streams.examine.StepTimes], since GPUs must confirm the result.
///
/// ```text
///   60 61 60 62 60 | 140 139 60 141 140 142 | 61 60 60
///        fast      |   slow                 |   fast
/// ```
final class SlowSteps {
  private static final double MOST_ELSEWHERE = 0.25;

  private final List<Segment> segments;
  private final long offset;
  private final Thresholds.GpuPeers limit;
  private final double edge;
  private int begin;
  private int end;

  private SlowSteps(
      List<Segment> segments, long offset, Thresholds.GpuPeers limit, double edgeMillis) {
    this.segments = segments;
    this.offset = offset;
    this.limit = limit;
    this.edge = edgeMillis;
  }

  /// A time span by the clock of the GPUs' readings.
  record Span(long sinceNanos, long untilNanos) {
    /// The part that remains if the span may be this much earlier or later.
    Span within(long nanos) {
      return new Span(sinceNanos + nanos, untilNanos - nanos);
    }
  }

  /// @param slow the time of the slow steps
  /// @param elsewhere the times before and after
  /// @param before the last segment before
  /// @param lostSeconds additional time of all slow steps together
  /// @param open whether they were slow until the end
  record Stretch(
      Span slow,
      List<Span> elsewhere,
      Segment before,
      Segment first,
      Segment last,
      long steps,
      double baselineMillis,
      double millis,
      double lostSeconds,
      boolean open) {
    double ratio() {
      return millis / baselineMillis;
    }
  }

  /// The stretch, if there is a clear one.
  ///
  /// @param offset nanoseconds to add to the track's times to get the GPU readings' clock, NO_TIME
  ///   if unknown
  /// @param sinceNanos when the GPU readings begin; earlier steps are ignored
  static Optional<Stretch> of(StepTrack track, long offset, long sinceNanos, Thresholds all) {
    var limit = all.gpuPeers();
    if (offset == NO_TIME) {
      return Optional.empty();
    }
    var segments = new ArrayList<Segment>();
    long steps = track.series().stepsBefore();
    for (var segment : track.series().segments()) {
      steps += segment.steps();
      boolean warm = steps - segment.steps() >= all.steps().warmUpSteps();
      if (warm && segment.untilNanos() + offset > sinceNanos) {
        segments.add(segment);
      }
    }
    // a stretch may cover nearly all of the run
    double base = Math.min(quantile(segments, 0.25), quantile(first(segments, limit), 0.5));
    var times = new SlowSteps(segments, offset, limit, all.steps().ratio() * base);
    return times.longest() ? times.stretch(all.steps().ratio()) : Optional.empty();
  }

  private static List<Segment> first(List<Segment> segments, Thresholds.GpuPeers limit) {
    int count = 0;
    int lines = 0;
    while (count < segments.size() && lines < limit.slowLines()) {
      lines += segments.get(count++).observations();
    }
    return segments.subList(0, count);
  }

  /// Finds the longest slow part; single fast segments within are allowed.
  private boolean longest() {
    double most = 0;
    int from = -1;
    for (int at = 0; at < segments.size(); at++) {
      if (!slow(at)) {
        boolean single = from >= 0 && at + 1 < segments.size() && slow(at + 1) && slow(at - 1);
        from = single ? from : -1;
        continue;
      }
      from = from < 0 ? at : from;
      double seconds =
          Nanos.seconds(segments.get(at).untilNanos() - segments.get(from).sinceNanos());
      if (seconds > most) {
        most = seconds;
        begin = from;
        end = at + 1;
      }
    }
    return most >= limit.slowFor().toMillis() / 1e3;
  }

  private Optional<Stretch> stretch(double ratio) {
    var within = segments.subList(begin, end);
    var fast = new ArrayList<Segment>();
    int before = 0;
    int elsewhere = 0;
    int outside = 0;
    for (int at = 0; at < segments.size(); at++) {
      if (at >= begin && at < end) {
        continue;
      }
      int lines = segments.get(at).observations();
      outside += lines;
      if (slow(at)) {
        elsewhere += lines;
      } else {
        fast.add(segments.get(at));
        before += at < begin ? lines : 0;
      }
    }
    double usual = quantile(fast, 0.5);
    double now = quantile(within, 0.5);
    if (lines(within) < limit.slowLines()
        || lines(fast) < limit.slowLines()
        || before < limit.slowLines() - 1
        || elsewhere > MOST_ELSEWHERE * outside
        || now < ratio * usual) {
      return Optional.empty();
    }
    long steps = within.stream().mapToLong(Segment::steps).sum();
    double seconds = within.stream().mapToDouble(Segment::seconds).sum();
    return Optional.of(
        new Stretch(
            span(begin, end),
            end < segments.size()
                ? List.of(span(0, begin), span(end, segments.size()))
                : List.of(span(0, begin)),
            segments.get(begin - 1),
            within.getFirst(),
            within.getLast(),
            steps,
            usual,
            now,
            seconds - steps * usual / 1000,
            end == segments.size()));
  }

  private Span span(int from, int to) {
    return new Span(
        segments.get(from).sinceNanos() + offset, segments.get(to - 1).untilNanos() + offset);
  }

  private boolean slow(int at) {
    return segments.get(at).medianMillis() > edge;
  }

  private static int lines(List<Segment> segments) {
    return segments.stream().mapToInt(Segment::observations).sum();
  }

  /// Quantile of the segments' medians in milliseconds, weighted by lines.
  private static double quantile(List<Segment> segments, double part) {
    var sorted = new ArrayList<>(segments);
    sorted.sort(Comparator.comparingDouble(Segment::medianMillis));
    double left = part * lines(segments);
    for (var segment : sorted) {
      left -= segment.observations();
      if (left < 0) {
        return segment.medianMillis();
      }
    }
    return sorted.isEmpty() ? Double.NaN : sorted.getLast().medianMillis();
  }
}
