package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A run over time and over its ranks, for charts. The size is bounded whatever the size of the
/// job: about 30 KB of JSON with 120 buckets and 32 ranks, about 5 KB for a job of 4 ranks.
///
/// @param gpuSecondsLost GPU-seconds that ranks waited for the last one in all late rounds,
///     whichever rank was last
/// @param waits null if arrival times are unknown or unreliable
/// @param steps null if no framework printed anything about steps
/// @param gpus null without samples from the time of the run
/// @param matrix transports between ranks or nodes
/// @param waitHistogram null if individual waits are not kept
public record RunAggregates(
    double gpuSecondsLost,
    @Nullable WaitTimeline waits,
    @Nullable Steps steps,
    @Nullable GpuUse gpus,
    TransportMatrix matrix,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable WaitHistogram waitHistogram) {

  /// Most buckets of a timeline. Their width starts at 5 s and doubles whenever more would be
  /// needed.
  public static final int MAX_BUCKETS = 120;

  /// Most ranks of a small run, for which all ranks are drawn; larger runs are drawn by node.
  public static final int MAX_RANKS = 32;

  /// Most ranks that have a timeline.
  public static final int MAX_LISTED = 256;

  /// Most cells of the matrix, and most ranks whose GPU is listed.
  public static final int MAX_CELLS = 2048;

  public RunAggregates {
    Objects.requireNonNull(matrix, "matrix");
  }

  /// Waits per bucket: the i-th number of every list belongs to the bucket that begins
  /// `i * bucketSeconds` after `since`.
  ///
  /// @param lostMillis wall-clock milliseconds in which all others waited for one rank
  /// @param ranks all ranks of a small run; for a large run those of the nodes that others waited
  ///     for the longest. Ranks that neither waited nor were waited for are left out. Ascending
  public record WaitTimeline(
      Instant since, double bucketSeconds, List<Integer> lostMillis, List<RankTimeline> ranks) {

    public WaitTimeline {
      Objects.requireNonNull(since, "since");
      lostMillis = List.copyOf(lostMillis);
      ranks = List.copyOf(ranks);
    }
  }

  /// One rank's part of a timeline.
  ///
  /// @param waitMillis how long it waited for the last rank; empty if it never did, and in
  ///     communicators of more than 64 ranks, where only the sum of waits is kept
  /// @param blamedMillis how long all others waited for this rank alone; empty if they never did
  public record RankTimeline(int rank, List<Integer> waitMillis, List<Integer> blamedMillis) {
    public RankTimeline {
      waitMillis = List.copyOf(waitMillis);
      blamedMillis = List.copyOf(blamedMillis);
    }
  }

  /// Distribution of how long ranks waited for the last one, over all rounds and ranks.
  ///
  /// @param seconds upper bounds of all classes except the last, ascending
  /// @param counts number of waits per class, one more than there are bounds
  public record WaitHistogram(List<Double> seconds, List<Long> counts) {
    public WaitHistogram {
      seconds = List.copyOf(seconds);
      counts = List.copyOf(counts);
    }
  }

  /// Training steps according to the framework's own lines, mostly those of rank 0.
  ///
  /// @param source kind of lines: `progress-bar`, `trainer-metrics`, `deepspeed-samples`,
  ///     `deepspeed-timers`, `deepspeed-steps`, `deepspeed-pipeline`, `megatron`, `loop-times` or
  ///     `loop-steps`
  /// @param steps number of steps seen
  /// @param medianMillis median time of a step, without the first steps
  /// @param baselineMillis the run's own normal step time, null until there are enough steps
  /// @param recentMillis median of the newest steps, null until there are enough
  /// @param globalBatch samples per step over all ranks, null if not printed
  /// @param sequenceLength tokens per sample, null if not printed
  /// @param parameters trainable parameters of the model, null if not printed
  /// @param samplesPerSecond null if neither printed nor known from the batch size
  /// @param points oldest first, at most {@value #MAX_BUCKETS}; empty if the lines have no times
  public record Steps(
      String source,
      long steps,
      @Nullable Double medianMillis,
      @Nullable Double baselineMillis,
      @Nullable Double recentMillis,
      @Nullable Double globalBatch,
      @Nullable Double sequenceLength,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double parameters,
      @Nullable Double samplesPerSecond,
      List<StepPoint> points) {

    public Steps {
      Objects.requireNonNull(source, "source");
      points = List.copyOf(points);
    }
  }

  /// The steps in one time bucket.
  ///
  /// @param at beginning of the bucket
  public record StepPoint(Instant at, double medianMillis, long steps) {}

  /// The run's GPUs over the last quarter of an hour of the run: medians of evenly chosen samples.
  ///
  /// @param samples number of seconds examined
  /// @param all medians over the medians of all ranks, for comparison with one rank
  /// @param ranks ascending; for a job of more than {@value #MAX_RANKS} ranks those furthest from
  ///     the rest
  public record GpuUse(
      Instant since, Instant until, int samples, GpuMedians all, List<RankGpu> ranks) {

    public GpuUse {
      Objects.requireNonNull(all, "all");
      ranks = List.copyOf(ranks);
    }
  }

  /// Medians; null for values that the driver does not provide.
  public record GpuMedians(
      @Nullable Double utilizationPercent,
      @Nullable Double powerWatts,
      @Nullable Double smClockMHz,
      @Nullable Double temperatureCelsius) {}

  /// One rank's GPU.
  ///
  /// @param gpu PCI bus id
  /// @param throttledShare share of samples with a harmful reason for lower clocks, 0 to 1
  public record RankGpu(
      int rank, String node, String gpu, GpuMedians medians, double throttledShare) {}

  /// Edges between places.
  ///
  /// @param unit `rank` up to 64 ranks, else `node`
  /// @param places names of the nodes by index; empty if places are ranks
  /// @param transports names of the transports as NCCL writes them, by index
  /// @param cells at most {@value #MAX_CELLS}, sorted by from, to and transport
  /// @param omitted number of cells left out
  public record TransportMatrix(
      String unit, List<String> places, List<String> transports, List<Cell> cells, int omitted) {
    /// No edge is known.
    public static final TransportMatrix NONE =
        new TransportMatrix("rank", List.of(), List.of(), List.of(), 0);

    public TransportMatrix {
      Objects.requireNonNull(unit, "unit");
      places = List.copyOf(places);
      transports = List.copyOf(transports);
      cells = List.copyOf(cells);
    }
  }

  /// All edges of one transport from one place to another.
  ///
  /// @param from index of the place; for unit `rank` the rank itself
  /// @param transport index of the transport
  /// @param edges number of channels; between nodes the number of lines about such edges
  public record Cell(int from, int to, int transport, int edges) {}
}
