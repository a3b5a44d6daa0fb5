package io.ringside.streams.witness.inspector;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Bandwidth of one kind of call on one communicator over the whole run; older parts are coarser.
/// Limited in size. Not thread-safe.
final class SpeedSeries {
  /// A fall is below this share of the bandwidth reached before.
  static final double FALLEN = 0.5;

  /// Above this share of it, the bandwidth is as before.
  static final double STEADY = 0.7;

  /// Largest share of points before a fall that may be below steady.
  private static final double UNSTEADY = 0.1;

  /// Least share of points outside a fall that must be steady: slowness that comes and goes is not
  /// caused by a link.
  private static final double OUTSIDE = 0.75;

  /// Least number of points before a fall, and in it.
  private static final int LEAST = 3;

  /// Least microseconds before a fall: the first steps are slowed by caches and compilers.
  private static final long PAST_MICROS = 120_000_000;

  /// Least and most calls of a point.
  private static final int FEWEST = 16;

  private static final int MOST_CALLS = 256;

  /// Least microseconds of a point, unless it is full.
  private static final long LEAST_MICROS = 5_000_000;

  private static final int MOST = 256;

  final List<Speed> points = new ArrayList<>();
  private final float[] calls = new float[MOST_CALLS];
  private int open;
  private long fromMicros;
  private long toMicros;

  void add(float busGBps, long atMicros) {
    if (open == 0) {
      fromMicros = atMicros;
      toMicros = atMicros;
    }
    toMicros = Math.max(toMicros, atMicros);
    calls[open++] = busGBps;
    if (open == MOST_CALLS || open >= FEWEST && toMicros - fromMicros >= LEAST_MICROS) {
      var sorted = Arrays.copyOf(calls, open);
      Arrays.sort(sorted);
      points.add(new Speed(fromMicros, toMicros, open, sorted[open / 2]));
      open = 0;
      if (points.size() > MOST) {
        halve();
      }
    }
  }

  /// Merges the older half of the points pairwise.
  private void halve() {
    var older = points.subList(0, MOST / 2);
    var coarse = new ArrayList<Speed>();
    for (int i = 0; i + 1 < older.size(); i += 2) {
      coarse.add(Speed.of(older.get(i), older.get(i + 1)));
    }
    older.clear();
    points.addAll(0, coarse);
  }

  /// The bandwidth that was reached and sustained: the highest median of three points in a row.
  float reached() {
    float most = 0;
    for (int i = 0; i + LEAST <= points.size(); i++) {
      most = Math.max(most, Speed.median(points.subList(i, i + LEAST)));
    }
    return most;
  }

  /// The longest fall far below the bandwidth sustained until then. A series that always varied has
  /// no fall.
  Optional<Fall> fall() {
    float reached = reached();
    long allSteady = points.stream().filter(it -> it.busGBps() >= STEADY * reached).count();
    Fall longest = null;
    int steady = 0;
    int i = 0;
    while (i < points.size()) {
      int end = slowUntil(i, reached);
      if (end - i >= LEAST
          && steady >= LEAST
          && points.get(i).fromMicros() - points.getFirst().fromMicros() >= PAST_MICROS
          && i - steady <= UNSTEADY * i
          && allSteady >= OUTSIDE * (points.size() - (end - i))) {
        var fall = new Fall(reached, List.copyOf(points.subList(i, end)), end == points.size());
        if (longest == null || fall.micros() > longest.micros()) {
          longest = fall;
        }
      }
      if (end == i) {
        steady += points.get(i).busGBps() >= STEADY * reached ? 1 : 0;
        i++;
      } else {
        i = end;
      }
    }
    return Optional.ofNullable(longest);
  }

  /// End index of the slow points that begin here.
  private int slowUntil(int from, float reached) {
    int end = from;
    while (end < points.size() && points.get(end).busGBps() < FALLEN * reached) {
      end++;
    }
    return end;
  }

  /// Bandwidth within some time, 0 if there were no calls.
  float within(long from, long to) {
    return Speed.median(
        points.stream().filter(it -> it.fromMicros() < to && it.toMicros() > from).toList());
  }

  /// A time in which the calls were slow.
  ///
  /// @param reached bandwidth before, in GB/s
  /// @param on whether it lasts to the end of the series
  record Fall(float reached, List<Speed> points, boolean on) {
    long fromMicros() {
      return points.getFirst().fromMicros();
    }

    long toMicros() {
      return points.getLast().toMicros();
    }

    long micros() {
      return toMicros() - fromMicros();
    }

    float busGBps() {
      return Speed.median(points);
    }
  }
}
