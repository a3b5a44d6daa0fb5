package io.ringside.streams.join;

import io.ringside.schemas.event.DeadLetter;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.NodeReport;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.TelemetryEvent;
import io.ringside.streams.join.job.JobJoin;
import io.ringside.streams.join.job.JobState;
import io.ringside.streams.join.node.KeptSamples;
import io.ringside.streams.join.node.LogJoin;
import io.ringside.streams.join.node.NodeJoin;
import io.ringside.streams.join.node.NodeState;
import io.ringside.streams.join.node.RecentSamples;
import io.ringside.streams.join.node.SourceState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Takes what agents send through the join of nodes and of jobs, record by record. Not thread-safe.
public final class Replay {
  /// Half an hour of a recording.
  private static final int MAX_SAMPLES = 1800;

  private final NodeJoin join = new NodeJoin(new LogJoin());
  private final RecentSamples samples = new KeptSamples(MAX_SAMPLES);
  private final Map<String, NodeState> nodes = new HashMap<>();
  private final Map<String, SourceState> sources = new HashMap<>();
  private final Map<String, JobState> jobs = new TreeMap<>();

  /// Takes in one record. Those of one node come in the order in which its agent sent them.
  ///
  /// @throws IllegalArgumentException for a record that no agent sends
  public void add(TelemetryEvent record) {
    var routed =
        switch (record) {
          case LogChunk chunk ->
              join.chunk(
                  chunk,
                  sources.computeIfAbsent(chunk.source().id(), _ -> new SourceState()),
                  node(chunk.source().node()),
                  samples);
          case GpuSample sample -> join.sample(sample, node(sample.node()), samples);
          case NodeTopology topology -> join.topology(topology, node(topology.node()));
          case NodeReport report -> join.report(report, node(report.node()));
          case Finding _, RunSummary _, DeadLetter _ ->
              throw new IllegalArgumentException("no agent sends " + record);
        };
    for (var to : routed) {
      JobJoin.apply(to.input(), jobs.computeIfAbsent(to.job(), _ -> new JobState()));
    }
  }

  /// All of them, in this order.
  public Replay addAll(List<? extends TelemetryEvent> records) {
    records.forEach(this::add);
    return this;
  }

  /// The jobs as they stand, by key.
  public Map<String, JobState> jobs() {
    return jobs;
  }

  private NodeState node(String name) {
    return nodes.computeIfAbsent(name, _ -> new NodeState());
  }
}
