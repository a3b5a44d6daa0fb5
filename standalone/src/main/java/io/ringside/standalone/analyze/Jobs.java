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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;

/// The nodes and the jobs on them. Each job takes its inputs on another thread, in order. It is
/// judged as soon as its last source has ended, and its state is then dropped. Only for one thread.
final class Jobs {
  /// Limit of records that wait in all jobs together.
  private static final int MOST_WAITING = 256;

  private final Judge judge;
  private final InstantSource clock;
  private final Workers workers;
  private final NodeJoin join = new NodeJoin();
  private final RecentSamples samples = new RingSamples(ServicePace.RECORDING.samples());
  private final Map<String, NodeState> nodes = new HashMap<>();
  private final Map<String, SourceState> sources = new HashMap<>();
  private final NodeLogs logs = new NodeLogs();

  /// Nodes that were sampled.
  private final Set<String> sampled = new HashSet<>();

  private final Map<String, JobLane> lanes = new TreeMap<>();
  private final Semaphore room = new Semaphore(MOST_WAITING);

  Jobs(Judge judge, InstantSource clock, Workers workers) {
    this.judge = judge;
    this.clock = clock;
    this.workers = workers;
  }

  /// Takes an agent's record about its node.
  void node(AgentEvent event) {
    if (event instanceof NodeTopology topology) {
      apply(join.topology(topology, state(topology.node())));
    } else if (event instanceof GpuSample sample) {
      sampled.add(sample.node());
      apply(join.sample(sample, state(sample.node()), samples));
    }
  }

  /// Takes the facts of a chunk. Those of one log must come in order, and every log must be
  /// announced before the first one ends.
  void facts(LogFacts facts) {
    var routed = new ArrayList<>(join.facts(facts, state(facts.node()), samples));
    for (var host : hosts(facts)) {
      routed.addAll(join.factsOfHost(facts, host, state(host), samples));
    }
    if (logs.ended(facts)) {
      // must come before the job ends with its last log
      join.unheld(facts.source(), state(facts.node()), samples)
          .ifPresent(gpus -> apply(List.of(gpus)));
    }
    apply(routed);
  }

  /// Hosts of a log of several ones that have a recording of their GPUs, but no log of their own.
  private Set<String> hosts(LogFacts facts) {
    return facts.writers().stream()
        .map(writer -> writer.hostOf(facts.source()))
        .filter(host -> sampled.contains(host) && !host.equals(facts.node()) && logs.none(host))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// Creates a job for the GPUs of a node that has no logs.
  void alone(LogSource recording) {
    if (logs.none(recording.node())) {
      logs.began(recording);
      join.unheld(recording, state(recording.node()), samples)
          .ifPresent(gpus -> apply(List.of(gpus)));
    }
  }

  /// Takes a chunk from a witness's file.
  void witness(LogChunk chunk) {
    var source = sources.computeIfAbsent(chunk.source().id(), _ -> new SourceState());
    apply(join.chunk(chunk, source, state(chunk.node()), samples));
  }

  private NodeState state(String node) {
    return nodes.computeIfAbsent(node, _ -> new NodeState());
  }

  /// Passes on a record. Each job gets all its inputs from the record at once, since it may end
  /// with them.
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

  /// All jobs, judged, sorted by key. Jobs whose logs did not mark their end are judged in their
  /// current state.
  ///
  /// @throws InterruptedException if the user stops the analysis
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
