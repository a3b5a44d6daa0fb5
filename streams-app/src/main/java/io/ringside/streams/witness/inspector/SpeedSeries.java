package io.ringside.streams.witness.inspector;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// How fast one kind of call was on one communicator, from the first to the newest: the older, the
/// coarser. Bounded. Not thread-safe.
final class SpeedSeries {
  /// What was slow must be under this share of what was reached before.
  static final double FALLEN = 0.5;

  /// What is over this share of it is as fast as before.
  static final double STEADY = 0.7;

  /// Share of what came before a fall that may be slower than steady.
  private static final double UNSTEADY = 0.1;

  /// Share of all that is outside of a fall that must be steady: what comes and goes is not a link.
  private static final double OUTSIDE = 0.75;

  /// Points before a fall, and of it.
  private static final int LEAST = 3;

  /// How long it must have kept to what it reached: the first steps are those of caches and
  /// compilers.
  private static final long PAST_MICROS = 120_000_000;

  /// Calls of a point at least, and at most.
  private static final int FEWEST = 16;

  private static final int MOST_CALLS = 256;

  /// A point is at least as long, unless it is full.
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

  /// Makes one of each two of the older half.
  private void halve() {
    var older = points.subList(0, MOST / 2);
    var coarse = new ArrayList<Speed>();
    for (int i = 0; i + 1 < older.size(); i += 2) {
      coarse.add(Speed.of(older.get(i), older.get(i + 1)));
    }
    older.clear();
    points.addAll(0, coarse);
  }

  /// What it reached and kept to: the middle one of three points in a row, where that was most.
  float reached() {
    float most = 0;
    for (int i = 0; i + LEAST <= points.size(); i++) {
      most = Math.max(most, Speed.median(points.subList(i, i + LEAST)));
    }
    return most;
  }

  /// The longest time for which it was far below what it had kept to until then. What always varied
  /// fell at no time.
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

  /// Where the slow ones end that begin here.
  private int slowUntil(int from, float reached) {
    int end = from;
    while (end < points.size() && points.get(end).busGBps() < FALLEN * reached) {
      end++;
    }
    return end;
  }

  /// Its bandwidth within some time, 0 if it was not called then.
  float within(long from, long to) {
    return Speed.median(
        points.stream().filter(it -> it.fromMicros() < to && it.toMicros() > from).toList());
  }

  /// A time for which it was slow.
  ///
  /// @param reached before, in GB/s
  /// @param on whether it is slow to the end
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
