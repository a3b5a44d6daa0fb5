package io.ringside.standalone.analyze;

import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.schemas.event.TelemetryEvent;
import io.ringside.streams.fact.LogFacts;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.node.LogJoin;
import io.ringside.streams.node.NodeJoin;
import io.ringside.streams.node.NodeJoin.Routed;
import io.ringside.streams.node.NodeState;
import io.ringside.streams.node.RecentSamples;
import io.ringside.streams.node.SourceState;
import io.ringside.streams.topology.JudgeJobs;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;

/// Nodes and the jobs on them. A job is judged by another thread as soon as its last source has ended, and its state
/// is given up then. For one thread.
final class Jobs {
  private final Judge judge;
  private final InstantSource clock;
  private final Workers workers;
  private final NodeJoin join = new NodeJoin(new LogJoin());
  private final RecentSamples samples = new RingSamples(JudgeJobs.Pace.RECORDING.samples());
  private final Map<String, NodeState> nodes = new HashMap<>();
  private final Map<String, SourceState> sources = new HashMap<>();
  private final Map<String, RecordedJob> open = new HashMap<>();
  private final Map<String, Future<RecordedJob>> judged = new TreeMap<>();

  Jobs(Judge judge, InstantSource clock, Workers workers) {
    this.judge = judge;
    this.clock = clock;
    this.workers = workers;
  }

  /// Takes what an agent says about its node.
  void node(TelemetryEvent event) {
    if (event instanceof NodeTopology topology) {
      apply(join.topology(topology, state(topology.node())));
    } else if (event instanceof GpuSample sample) {
      apply(join.sample(sample, state(sample.node()), samples));
    }
  }

  /// Takes what a chunk says. Those of one log come in order.
  void facts(LogFacts facts) {
    apply(join.facts(facts, state(facts.node()), samples));
  }

  /// Takes what a witness left beside the logs.
  void witness(LogChunk chunk) {
    var source = sources.computeIfAbsent(chunk.source().id(), _ -> new SourceState());
    apply(join.chunk(chunk, source, state(chunk.source().node()), samples));
  }

  private NodeState state(String node) {
    return nodes.computeIfAbsent(node, _ -> new NodeState());
  }

  private void apply(List<Routed> routed) {
    for (var to : routed) {
      open.computeIfAbsent(to.job(), _ -> new RecordedJob(judge, clock)).apply(to.input());
    }
    for (var to : routed) {
      var job = open.get(to.job());
      if (job != null && job.ended()) {
        open.remove(to.job());
        judged.put(to.job(), workers.begin(job::judged));
      }
    }
  }

  /// All jobs, judged, by key. Those whose logs never said that they end are judged as they are.
  ///
  /// @throws InterruptedException when the user does not want to wait
  List<RecordedJob> finish(Progress progress) throws InterruptedException {
    open.forEach((key, job) -> judged.put(key, workers.begin(job::judged)));
    var all = new ArrayList<RecordedJob>();
    for (var job : judged.values()) {
      progress.judged(all.size(), judged.size());
      all.add(Workers.result(job));
    }
    return all;
  }
}
