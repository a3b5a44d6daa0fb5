package io.ringside.standalone.analyze;

import io.ringside.schemas.event.AgentEvent;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.streams.fact.JobInput;
import io.ringside.streams.fact.LogFacts;
import io.ringside.streams.judge.Judge;
import io.ringside.streams.node.NodeJoin;
import io.ringside.streams.node.NodeJoin.Routed;
import io.ringside.streams.node.NodeState;
import io.ringside.streams.node.RecentSamples;
import io.ringside.streams.node.SourceState;
import io.ringside.streams.topology.ServicePace;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;

/// Nodes and the jobs on them. What a job is told it takes in on another thread, in order; as soon
/// as its last source has ended it is judged, and its state is given up. For one thread.
final class Jobs {
  /// Records that wait to be taken in by jobs.
  private static final int MOST_WAITING = 256;

  private final Judge judge;
  private final InstantSource clock;
  private final Workers workers;
  private final NodeJoin join = new NodeJoin();
  private final RecentSamples samples = new RingSamples(ServicePace.RECORDING.samples());
  private final Map<String, NodeState> nodes = new HashMap<>();
  private final Map<String, SourceState> sources = new HashMap<>();
  private final NodeLogs logs = new NodeLogs();
  private final Map<String, JobLane> lanes = new TreeMap<>();
  private final Semaphore room = new Semaphore(MOST_WAITING);

  Jobs(Judge judge, InstantSource clock, Workers workers) {
    this.judge = judge;
    this.clock = clock;
    this.workers = workers;
  }

  /// Takes what an agent says about its node.
  void node(AgentEvent event) {
    if (event instanceof NodeTopology topology) {
      apply(join.topology(topology, state(topology.node())));
    } else if (event instanceof GpuSample sample) {
      apply(join.sample(sample, state(sample.node()), samples));
    }
  }

  /// Takes what a chunk says. Those of one log come in order; every log has announced itself before
  /// the first one ends.
  void facts(LogFacts facts) {
    var routed = join.facts(facts, state(facts.node()), samples);
    if (logs.ended(facts)) {
      // before the job ends with its last log
      join.unheld(facts.source(), state(facts.node()), samples)
          .ifPresent(gpus -> apply(List.of(gpus)));
    }
    apply(routed);
  }

  /// Makes a job of the GPUs of a node on which no log is of any.
  void alone(LogSource recording) {
    if (logs.none(recording.node())) {
      logs.began(recording);
      join.unheld(recording, state(recording.node()), samples)
          .ifPresent(gpus -> apply(List.of(gpus)));
    }
  }

  /// Takes what a witness left beside the logs.
  void witness(LogChunk chunk) {
    var source = sources.computeIfAbsent(chunk.source().id(), _ -> new SourceState());
    apply(join.chunk(chunk, source, state(chunk.node()), samples));
  }

  private NodeState state(String node) {
    return nodes.computeIfAbsent(node, _ -> new NodeState());
  }

  /// Each job gets all of a record at once: it may end with it.
  private void apply(List<Routed> routed) {
    Map<String, List<JobInput>> byJob = new LinkedHashMap<>();
    for (var to : routed) {
      byJob.computeIfAbsent(to.job(), _ -> new ArrayList<>()).add(to.input());
    }
    byJob.forEach((job, inputs) -> lane(job).put(inputs));
  }

  private JobLane lane(String job) {
    return lanes.computeIfAbsent(
        job, _ -> new JobLane(new RecordedJob(judge, clock), workers, room));
  }

  /// All jobs, judged, by key. Those whose logs never said that they end are judged as they are.
  ///
  /// @throws InterruptedException when the user does not want to wait
  List<RecordedJob> finish(Progress progress) throws InterruptedException {
    var judged = lanes.values().stream().map(JobLane::complete).toList();
    var all = new ArrayList<RecordedJob>();
    for (var job : judged) {
      progress.judged(all.size(), judged.size());
      all.add(Workers.result(job));
    }
    return all;
  }
}
