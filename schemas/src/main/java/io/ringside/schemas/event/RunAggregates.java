package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a run looked like over time and over its ranks: made for drawing, bounded whatever the size
/// of the job. With 120 buckets and 32 ranks it is about 30 KB of JSON, for a job of 4 ranks about
/// 5 KB.
///
/// @param gpuSecondsLost GPU-seconds that ranks waited for the last one in all late rounds, whoever
///   was last
/// @param waits null where arrival times are not known or not trusted
/// @param steps null where no framework printed anything about steps
/// @param gpus null without samples of the run's time
/// @param matrix which transports join which ranks or nodes
/// @param waitHistogram null where waits are not kept one by one
public record RunAggregates(
    double gpuSecondsLost,
    @Nullable WaitTimeline waits,
    @Nullable Steps steps,
    @Nullable GpuUse gpus,
    TransportMatrix matrix,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable WaitHistogram waitHistogram) {

  /// The most buckets of a time line. Their width is 5 s and doubles whenever more would be needed.
  public static final int MAX_BUCKETS = 120;

  /// The most ranks of a small run, whose ranks are all drawn; readers see a larger one by node.
  public static final int MAX_RANKS = 32;

  /// The most ranks that have time lines of their own.
  public static final int MAX_LISTED = 256;

  /// The most cells of the matrix, and the most ranks whose GPU is listed.
  public static final int MAX_CELLS = 2048;

  public RunAggregates {
    Objects.requireNonNull(matrix, "matrix");
  }

  /// Waits bucket by bucket: the i-th number of every list belongs to the bucket that begins
  /// `i * bucketSeconds` after `since`.
  ///
  /// @param lostMillis wall-clock milliseconds in which all others waited for one rank
  /// @param ranks all ranks of a small run, of a large one those of the nodes that others waited
  ///     for the longest, without ranks that neither waited nor were waited for; ascending
  public record WaitTimeline(
      Instant since, double bucketSeconds, List<Integer> lostMillis, List<RankTimeline> ranks) {

    public WaitTimeline {
      Objects.requireNonNull(since, "since");
      lostMillis = List.copyOf(lostMillis);
      ranks = List.copyOf(ranks);
    }
  }

  /// One rank's part of a time line.
  ///
  /// @param waitMillis how long it waited for the last rank; empty if it never did, and in
  ///     communicators of more than 64 ranks, whose waits are kept in sum only
  /// @param blamedMillis how long all others waited for it alone; empty if they never did
  public record RankTimeline(int rank, List<Integer> waitMillis, List<Integer> blamedMillis) {
    public RankTimeline {
      waitMillis = List.copyOf(waitMillis);
      blamedMillis = List.copyOf(blamedMillis);
    }
  }

  /// How long ranks waited for the last one, round by round and rank by rank.
  ///
  /// @param seconds upper bounds of the classes but the last one, ascending
  /// @param counts how many waits each class holds, one more than bounds
  public record WaitHistogram(List<Double> seconds, List<Long> counts) {
    public WaitHistogram {
      seconds = List.copyOf(seconds);
      counts = List.copyOf(counts);
    }
  }

  /// Training steps as a framework's own lines tell them, mostly rank 0's.
  ///
  /// @param source which lines: `progress-bar`, `trainer-metrics`,
  ///     `deepspeed-samples`, `deepspeed-timers`, `deepspeed-steps`, `deepspeed-pipeline`,
  ///     `megatron`, `loop-times` or `loop-steps`
  /// @param steps how many were seen
  /// @param medianMillis median time of a step after the first ones
  /// @param baselineMillis the run's own normal time of a step, null before there are enough
  /// @param recentMillis median of the newest steps, null before there are enough
  /// @param globalBatch samples a step over all ranks, null where nobody prints it
  /// @param sequenceLength tokens a sample, null where nobody prints it
  /// @param parameters trainable ones of the model, null where nobody prints it
  /// @param samplesPerSecond null where neither printed nor known from the batch
  /// @param points oldest first, at most {@value #MAX_BUCKETS}; empty if the lines carry no times
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

  /// The steps of one bucket of time.
  ///
  /// @param at when the bucket begins
  public record StepPoint(Instant at, double medianMillis, long steps) {}

  /// The run's GPUs over the last quarter of an hour of its life: medians of evenly chosen samples.
  ///
  /// @param samples how many seconds were looked at
  /// @param all medians over all ranks' medians: what to compare one with
  /// @param ranks ascending; of a job of more than {@value #MAX_RANKS} ranks those furthest from
  ///   the rest
  public record GpuUse(
      Instant since, Instant until, int samples, GpuMedians all, List<RankGpu> ranks) {

    public GpuUse {
      Objects.requireNonNull(all, "all");
      ranks = List.copyOf(ranks);
    }
  }

  /// Medians; null for what the driver does not tell.
  public record GpuMedians(
      @Nullable Double utilizationPercent,
      @Nullable Double powerWatts,
      @Nullable Double smClockMHz,
      @Nullable Double temperatureCelsius) {}

  /// One rank's GPU.
  ///
  /// @param gpu PCI bus id
  /// @param throttledShare share of samples with a reason to lower clocks that is trouble, 0 to 1
  public record RankGpu(
      int rank, String node, String gpu, GpuMedians medians, double throttledShare) {}

  /// Edges from place to place.
  ///
  /// @param unit `rank` up to 64 ranks, else `node`
  /// @param places the nodes' names by index; empty where places are ranks
  /// @param transports NCCL's words, by index
  /// @param cells at most {@value #MAX_CELLS}, by from, to and transport
  /// @param omitted how many cells were left out
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
  /// @param edges how many channels; between nodes how many lines speak of such an edge
  public record Cell(int from, int to, int transport, int edges) {}
}
