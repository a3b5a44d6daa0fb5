package io.ringside.streams.waits;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// How long exactly certain ranks of a communicator were missing while all others had come, over
/// time; and how long its turns took.
///
/// ```text
///   rank 1 ●──────────────────────
///   rank 2 ●──────────────────────
///   rank 7         ●──────────────      7 and 6 are missing for 8, then 6 alone for 14
///   rank 6                       ●
/// ```
///
/// Had some ranks come with the others, the round would have been complete sooner by the time in
/// which only they were missing. So the time saved without the ranks of two causes, each cause on
/// its own, is never more than without both.
///
/// Bounded: {@value #MAX_BUCKETS} buckets of a second or of that doubled as often as the run's
/// length asks for, {@value #MAX_SETS} sets of ranks in each: 20 KB at the most.
public final class MissingTime {
  /// The most buckets.
  static final int MAX_BUCKETS = 60;

  /// The sets of ranks that are kept in a bucket: those that were missing longest.
  static final int MAX_SETS = 12;

  /// Rounds in which all ranks came within this many seconds show nothing.
  static final double LEAST_ROUND = 0.005;

  private static final long BUCKET_NANOS = 1_000_000_000L;

  /// Most late ranks that are told apart.
  private static final int MOST = 16;

  /// Least time that counts, in seconds. Ranks always differ by shorter times.
  private static final double LEAST = 0.001;

  private final Buckets<Bucket> buckets = new Buckets<>();

  MissingTime() {}

  /// One bucket, in columns: sets of ascending ranks, and how long only these were missing, in
  /// seconds.
  static final class Bucket implements Buckets.Bucket<Bucket> {
    private int[][] ranks = new int[0][];
    private double[] seconds = new double[0];
    private double alone;
    private double two;
    private double turns;
    private double turnSeconds;

    private void add(int[] of, double missing) {
      for (int i = 0; i < ranks.length; i++) {
        if (Arrays.equals(ranks[i], of)) {
          seconds[i] += missing;
          return;
        }
      }
      int at = ranks.length;
      if (at < MAX_SETS) {
        ranks = Arrays.copyOf(ranks, at + 1);
        seconds = Arrays.copyOf(seconds, at + 1);
      } else {
        at = least();
        if (seconds[at] >= missing) {
          return;
        }
      }
      ranks[at] = of;
      seconds[at] = missing;
    }

    private int least() {
      int least = 0;
      for (int i = 1; i < seconds.length; i++) {
        least = seconds[i] < seconds[least] ? i : least;
      }
      return least;
    }

    @Override
    public void add(Bucket other) {
      for (int i = 0; i < other.ranks.length; i++) {
        add(other.ranks[i], other.seconds[i]);
      }
      alone += other.alone;
      two += other.two;
      turns += other.turns;
      turnSeconds += other.turnSeconds;
    }

    private double within(Set<Integer> some) {
      double sum = 0;
      for (int i = 0; i < ranks.length; i++) {
        sum += Arrays.stream(ranks[i]).allMatch(some::contains) ? seconds[i] : 0;
      }
      return sum;
    }
  }

  /// Adds a round in which ranks were waited for.
  ///
  /// @param ranks ranks of these times
  /// @param floor until when no rank waited, on the corrected clock: earlier waits count only once,
  ///   and a rank that goes on calling does not wait
  /// @param weight number of rounds that it stands for
  void round(
      Arrival arrival, int[] ranks, long[] nanos, long[] offsets, long floor, double weight) {
    var bucket = at(arrival.lastNanos());
    int[] late = arrival.late();
    if (late.length > MOST) {
      bucket.add(sorted(late, late.length), weight * arrival.lateSeconds()[late.length - 1]);
      return;
    }
    var latest = new int[MOST + 1];
    var times = new long[MOST + 1];
    int present = latest(ranks, nanos, offsets, latest, times);
    for (int count = 1; count <= Math.min(MOST, present / 2) && times[count - 1] > floor; count++) {
      double seconds = Nanos.seconds(times[count - 1] - Math.max(times[count], floor));
      if (seconds >= LEAST) {
        bucket.add(sorted(latest, count), weight * seconds);
        bucket.alone += count == 1 ? weight * seconds : 0;
        bucket.two += count == 2 ? weight * seconds : 0;
      }
    }
  }

  /// Finds the last ranks to come, the very last first.
  ///
  /// @return how many ranks came
  private static int latest(int[] ranks, long[] nanos, long[] offsets, int[] latest, long[] times) {
    Arrays.fill(times, Long.MIN_VALUE);
    int present = 0;
    for (int i = 0; i < nanos.length; i++) {
      if (nanos[i] == NO_TIME) {
        continue;
      }
      present++;
      long at = nanos[i] - offsets[i];
      int place = times.length;
      while (place > 0 && at > times[place - 1]) {
        place--;
      }
      if (place < times.length) {
        System.arraycopy(times, place, times, place + 1, times.length - place - 1);
        System.arraycopy(latest, place, latest, place + 1, latest.length - place - 1);
        times[place] = at;
        latest[place] = ranks[i];
      }
    }
    return present;
  }

  private static int[] sorted(int[] ranks, int count) {
    var first = Arrays.copyOf(ranks, count);
    Arrays.sort(first);
    return first;
  }

  /// Adds the duration of a training step.
  void turn(Turn turn) {
    if (turn.seconds() > 0) {
      var bucket = at(turn.untilNanos());
      bucket.turns += turn.weight();
      bucket.turnSeconds += turn.weight() * turn.seconds();
    }
  }

  private Bucket at(long nanos) {
    return buckets.at(Math.floorDiv(nanos, BUCKET_NANOS), MAX_BUCKETS, Bucket::new);
  }

  /// What a bucket shows about some ranks.
  ///
  /// @param sinceNanos when it begins, Unix epoch
  /// @param untilNanos when it ends
  /// @param missingSeconds time in which only they were missing
  /// @param aloneSeconds time in which any single rank alone was missing
  /// @param twoSeconds time in which any two ranks were missing: the usual distance of the last
  ///   ranks, whichever rank is late alone
  /// @param turns training steps that ended in it; 0 if steps do not show
  /// @param turnSeconds time that those steps took
  public record Span(
      long sinceNanos,
      long untilNanos,
      double missingSeconds,
      double aloneSeconds,
      double twoSeconds,
      double turns,
      double turnSeconds) {
    /// How long it lasts.
    public double seconds() {
      return Nanos.seconds(untilNanos - sinceNanos);
    }
  }

  /// All buckets, oldest first, with their values for these ranks of the communicator.
  public List<Span> spans(Set<Integer> ranks) {
    var spans = new ArrayList<Span>();
    buckets.each(
        (bucket, second) ->
            spans.add(
                new Span(
                    second * BUCKET_NANOS,
                    (second + buckets.width()) * BUCKET_NANOS,
                    bucket.within(ranks),
                    bucket.alone,
                    bucket.two,
                    bucket.turns,
                    bucket.turnSeconds)));
    return spans;
  }
}
