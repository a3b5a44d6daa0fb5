package io.ringside.streams.waits;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The waits of one communicator over time, and how they are distributed over each rank's rounds.
///
/// Bounded: at most {@value #MAX_BUCKETS} buckets of a window's width, which doubles as often as
/// the run's length requires. Waits are kept by rank and bucket up to {@value #FULL_RANKS} ranks,
/// beyond that only in sum. For 64 ranks that is 8,000 numbers, for 1,024 about 2,000 and 48 a rank
/// for the distribution.
public final class WaitSeries {
  /// The most buckets.
  public static final int MAX_BUCKETS = 120;

  /// Up to this many ranks the waits of every rank are kept by bucket.
  public static final int FULL_RANKS = 64;

  private static final int MAX_BLAMED = 16;

  private int nranks;
  private final Buckets<Bucket> buckets = new Buckets<>();
  private WaitSpread spread = new WaitSpread(0);

  WaitSeries() {}

  WaitSeries(int nranks) {
    this.nranks = nranks;
    this.spread = new WaitSpread(nranks);
  }

  /// The waits of one bucket, in microseconds.
  static final class Bucket implements Buckets.Bucket<Bucket> {
    long lost;
    long sum;
    long[] waited = new long[0];
    final Map<Integer, Long> blamed = new TreeMap<>();

    @Override
    public void add(Bucket other) {
      lost += other.lost;
      sum += other.sum;
      if (waited.length == 0) {
        waited = other.waited;
      } else {
        for (int rank = 0; rank < other.waited.length; rank++) {
          waited[rank] += other.waited[rank];
        }
      }
      other.blamed.forEach((rank, micros) -> blamed.merge(rank, micros, Long::sum));
      prune();
    }

    private void prune() {
      while (blamed.size() > MAX_BLAMED) {
        int least = -1;
        long micros = Long.MAX_VALUE;
        for (var entry : blamed.entrySet()) {
          if (entry.getValue() < micros) {
            least = entry.getKey();
            micros = entry.getValue();
          }
        }
        blamed.remove(least);
      }
    }
  }

  /// Records that a rank waited for the last one of a round.
  ///
  /// @param window number of the window, see {@link Rounds#WINDOW_NANOS}
  void waited(long window, int rank, double seconds) {
    waited(window, rank, seconds, 1);
  }

  /// The same for this many rounds.
  void waited(long window, int rank, double seconds, double times) {
    spread.add(rank, seconds, times);
    var bucket = at(window);
    long micros = Math.round(times * seconds * 1e6);
    bucket.sum += micros;
    if (nranks <= FULL_RANKS) {
      if (bucket.waited.length == 0) {
        bucket.waited = new long[nranks];
      }
      bucket.waited[rank] += micros;
    }
  }

  /// Records that all others waited for this rank alone.
  void lost(long window, int rank, double seconds) {
    var bucket = at(window);
    long micros = Math.round(seconds * 1e6);
    bucket.lost += micros;
    bucket.blamed.merge(rank, micros, Long::sum);
    bucket.prune();
  }

  private Bucket at(long window) {
    return buckets.at(window, MAX_BUCKETS, Bucket::new);
  }

  /// Width of a bucket in windows: 1, 2, 4 …
  public long width() {
    return buckets.width();
  }

  /// Number of the first window of the first bucket; only if {@link #isEmpty()} is false.
  public long firstWindow() {
    return buckets.first();
  }

  /// Number of the first window of the last bucket; only if {@link #isEmpty()} is false.
  public long lastWindow() {
    return buckets.last();
  }

  /// Whether no round was judged yet.
  public boolean isEmpty() {
    return buckets.isEmpty();
  }

  /// Waits of one bucket.
  ///
  /// @param waitedMicros how long all ranks waited, added up
  /// @param blamedMicros how long all others waited for one rank alone, by rank
  public record Told(long waitedMicros, Map<Integer, Long> blamedMicros) {}

  /// Buckets of all ranks together, by the number of the bucket's first window.
  public SortedMap<Long, Told> buckets() {
    var told = new TreeMap<Long, Told>();
    buckets.each((bucket, window) -> told.put(window, new Told(bucket.sum, bucket.blamed)));
    return told;
  }

  /// Receives the values of a bucket, in microseconds.
  @FunctionalInterface
  public interface Reader {
    /// @param window number of the bucket's first window
    /// @param rank rank in the communicator
    void read(long window, int rank, long waitedMicros, long blamedMicros);
  }

  /// Passes every rank's part of every bucket to the reader, as far as kept.
  public void read(Reader reader) {
    buckets.each(
        (bucket, window) -> {
          for (int rank = 0; rank < bucket.waited.length; rank++) {
            reader.read(window, rank, bucket.waited[rank], 0);
          }
          bucket.blamed.forEach((rank, micros) -> reader.read(window, rank, 0, micros));
        });
  }

  /// How long each rank waited between two times, in seconds. A bucket that lies only partly
  /// between them counts by that part. Empty if waits are not kept by rank.
  public double[] waitedSeconds(long sinceNanos, long untilNanos) {
    if (nranks > FULL_RANKS) {
      return new double[0];
    }
    var seconds = new double[nranks];
    long width = buckets.width() * Rounds.WINDOW_NANOS;
    buckets.each(
        (bucket, window) -> {
          long begin = window * Rounds.WINDOW_NANOS;
          long common = Math.min(untilNanos, begin + width) - Math.max(sinceNanos, begin);
          for (int rank = 0; common > 0 && rank < bucket.waited.length; rank++) {
            seconds[rank] += bucket.waited[rank] / 1e6 * common / width;
          }
        });
    return seconds;
  }

  /// How the waits of each rank are distributed.
  public WaitSpread spread() {
    return spread;
  }
}
