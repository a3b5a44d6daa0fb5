package io.ringside.schemas.topic;

import io.ringside.schemas.event.DeadLetter;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.NodeReport;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.serde.ChunkSerde;
import io.ringside.schemas.serde.EventSerde;
import java.time.Duration;
import java.util.List;

/// All public topics of the project.
public final class Topics {
  /// With 24 partitions and one extra segment each, brokers keep at most 165 GiB of all topics.
  private static final long GIB = 1L << 30;

  /// Log lines in chunks; key: node.
  public static final Topic<LogChunk> LOGS =
      new Topic<>("ringside.logs.v1", new ChunkSerde(), false, Duration.ofHours(24), 5 * GIB);

  /// GPU samples; key: node.
  public static final Topic<GpuSample> GPU =
      new Topic<>(
          "ringside.gpu.v1",
          new EventSerde<>(GpuSample.class),
          false,
          Duration.ofHours(24),
          GIB / 2);

  /// The newest topology of each node; key: node.
  public static final Topic<NodeTopology> TOPOLOGY =
      new Topic<>(
          "ringside.topology.v1",
          new EventSerde<>(NodeTopology.class),
          true,
          Duration.ofDays(1),
          0);

  /// Heartbeat and network counters of each node; key: node.
  public static final Topic<NodeReport> NODE =
      new Topic<>(
          "ringside.node.v1",
          new EventSerde<>(NodeReport.class),
          false,
          Duration.ofHours(24),
          GIB / 4);

  /// The newest state of each finding; key: job|finding id.
  public static final Topic<Finding> FINDINGS =
      new Topic<>(
          "ringside.findings.v1", new EventSerde<>(Finding.class), true, Duration.ofDays(1), 0);

  /// The ledger, newest state of each run; key: job|run.
  public static final Topic<RunSummary> RUNS =
      new Topic<>(
          "ringside.runs.v1", new EventSerde<>(RunSummary.class), true, Duration.ofDays(1), 0);

  /// Records that could not be sent or understood; key: node or origin.
  public static final Topic<DeadLetter> DEAD_LETTER =
      new Topic<>(
          "ringside.dead-letter.v1",
          new EventSerde<>(DeadLetter.class),
          false,
          Duration.ofDays(7),
          GIB / 8);

  /// The topics that must have the same number of partitions, so that logs, samples, topology and
  /// reports of a node are on the same partition number.
  public static final List<Topic<?>> BY_NODE = List.of(LOGS, GPU, TOPOLOGY, NODE);

  /// All topics, in the order of the data flow.
  public static final List<Topic<?>> ALL =
      List.of(LOGS, GPU, TOPOLOGY, NODE, FINDINGS, RUNS, DEAD_LETTER);

  private Topics() {}
}
