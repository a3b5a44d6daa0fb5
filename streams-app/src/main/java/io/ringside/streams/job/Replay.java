package io.ringside.streams.job;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.NodeReport;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.streams.fact.JobInput;
import io.ringside.streams.node.KeptSamples;
import io.ringside.streams.node.NodeJoin;
import io.ringside.streams.node.NodeState;
import io.ringside.streams.node.RecentSamples;
import io.ringside.streams.node.SourceState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// Runs agents' records through the joins of nodes and jobs, one by one. Not thread-safe.
public final class Replay {
  /// Half an hour of a recording.
  private static final int MAX_SAMPLES = 1800;

  private final NodeJoin join;
  private final Consumer<JobInput> told;
  private final RecentSamples samples = new KeptSamples(MAX_SAMPLES);
  private final Map<String, NodeState> nodes = new HashMap<>();
  private final Map<String, SourceState> sources = new HashMap<>();
  private final Map<String, JobState> jobs = new TreeMap<>();

  /// Keeps every call.
  public Replay() {
    this(new NodeJoin(), _ -> {});
  }

  /// @param told receives everything that nodes send to jobs
  public Replay(NodeJoin join, Consumer<JobInput> told) {
    this.join = join;
    this.told = told;
  }

  /// Applies one record. Records of one node must come in the order in which its agent sent them.
  public void add(AgentEvent record) {
    var routed =
        switch (record) {
          case LogChunk chunk ->
              join.chunk(
                  chunk,
                  sources.computeIfAbsent(chunk.source().id(), _ -> new SourceState()),
                  node(chunk.node()),
                  samples);
          case GpuSample sample -> join.sample(sample, node(sample.node()), samples);
          case NodeTopology topology -> join.topology(topology, node(topology.node()));
          case NodeReport report -> join.report(report, node(report.node()));
        };
    for (var to : routed) {
      told.accept(to.input());
      JobJoin.apply(to.input(), jobs.computeIfAbsent(to.job(), _ -> new JobState()));
    }
  }

  /// Applies all records, in this order.
  public Replay addAll(List<? extends AgentEvent> records) {
    records.forEach(this::add);
    return this;
  }

  /// Continues with other states, like a service that was killed and restores them.
  public void restore(
      UnaryOperator<NodeState> node,
      UnaryOperator<SourceState> source,
      UnaryOperator<JobState> job) {
    nodes.replaceAll((_, state) -> node.apply(state));
    sources.replaceAll((_, state) -> source.apply(state));
    jobs.replaceAll((_, state) -> job.apply(state));
  }

  /// The jobs as they stand, by key.
  public Map<String, JobState> jobs() {
    return jobs;
  }

  private NodeState node(String name) {
    return nodes.computeIfAbsent(name, _ -> new NodeState());
  }
}
