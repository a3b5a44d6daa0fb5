package io.ringside.streams.topology;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.job.JobJoin;
import io.ringside.streams.job.JobState;
import io.ringside.streams.judge.suspect.NodeMemory;
import io.ringside.streams.node.Heartbeat;
import io.ringside.streams.node.NodeJoin;
import io.ringside.streams.node.NodeState;
import io.ringside.streams.node.SeenStatements;
import io.ringside.streams.node.SourceState;
import io.ringside.streams.state.CompressedSerde;
import io.ringside.streams.state.JournaledStore;
import io.ringside.streams.state.LenientSerde;
import io.ringside.streams.state.PackedInput;
import io.ringside.streams.state.StateBytes;
import io.ringside.streams.state.StoredSamples;
import io.ringside.streams.state.WriteBehindStore;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;

/// All state stores, with names, keys and contents. All live in memory with a changelog, since they
/// hold the present, not history.
public final class Stores {
  /// Findings by `job|id`, as last published; for queries.
  public static final String FINDINGS = "findings";

  /// Suffix of the name of the topic that feeds the stores of jobs.
  public static final String FINDINGS_INPUT = "-" + Steps.BY_JOB + "-repartition";

  /// Runs by `job|run`, as last published; for queries.
  public static final String RUNS = "runs";

  /// Blames of nodes, by `cluster|node`; for queries.
  public static final String NODE_MEMORY = "node-memory";

  /// Latest heartbeat of each agent, by `cluster|node`; for queries.
  public static final String AGENTS = "agents";

  static final String SOURCES = "sources";

  /// In bytes. The state of one machine's own processes is smaller.
  private static final int SMALL_SOURCE = 64 << 10;

  static final String TOLD = "told";
  static final String NODES = "nodes";
  static final String SAMPLES = "samples";
  static final String JOBS = "jobs";

  private Stores() {}

  /// By log source: the read position and the communicators of its processes. This is small except
  /// for a launcher's log, which holds all ranks, and for a log that keeps naming new
  /// communicators. For those, writing the chunks since the last snapshot is cheaper.
  ///
  /// @param join reads a chunk again in the same way as the first time
  static StoreBuilder<JournaledStore<SourceState>> sources(NodeJoin join) {
    return JournaledStore.builder(
        SOURCES,
        SourceState.class,
        SourceState::new,
        SourceState::new,
        (chunk, source) ->
            join.read(
                Topics.LOGS.valueSerde().deserializer().deserialize(Topics.LOGS.name(), chunk),
                source),
        SMALL_SOURCE);
  }

  /// By log source: hashes of the statements that its processes have made.
  static StoreBuilder<WriteBehindStore<SeenStatements>> told() {
    return WriteBehindStore.builder(TOLD, SeenStatements.class, SeenStatements::new);
  }

  /// By node: which process uses which GPU.
  static StoreBuilder<WriteBehindStore<NodeState>> nodes() {
    return WriteBehindStore.builder(NODES, NodeState.class, NodeState::new);
  }

  /// By node and slot: recent GPU samples.
  static StoreBuilder<KeyValueStore<String, GpuSample>> samples() {
    return StoredSamples.builder(SAMPLES);
  }

  /// By job: runs, processes, communicators, rounds.
  static StoreBuilder<JournaledStore<JobState>> jobs() {
    return JournaledStore.builder(
        JOBS,
        JobState.class,
        JobState::new,
        JobState::afterLoss,
        (event, job) -> JobJoin.apply(PackedInput.unpack(event), job),
        0);
  }

  static StoreBuilder<KeyValueStore<String, Finding>> findings() {
    return inMemory(FINDINGS, new CompressedSerde<>(Topics.FINDINGS.valueSerde()));
  }

  static StoreBuilder<KeyValueStore<String, NodeMemory>> nodeMemory() {
    return inMemory(NODE_MEMORY, new StateBytes<>(NodeMemory.class));
  }

  static StoreBuilder<KeyValueStore<String, Heartbeat>> agents() {
    return inMemory(AGENTS, new StateBytes<>(Heartbeat.class));
  }

  static StoreBuilder<KeyValueStore<String, RunSummary>> runs() {
    return inMemory(RUNS, new CompressedSerde<>(Topics.RUNS.valueSerde()));
  }

  private static <T> StoreBuilder<KeyValueStore<String, T>> inMemory(String name, Serde<T> serde) {
    return org.apache.kafka.streams.state.Stores.keyValueStoreBuilder(
        org.apache.kafka.streams.state.Stores.inMemoryKeyValueStore(name),
        Serdes.String(),
        new LenientSerde<>(serde));
  }
}
