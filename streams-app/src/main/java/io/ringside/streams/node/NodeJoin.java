package io.ringside.streams.node;

import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.NodeReport;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.streams.fact.Fact;
import io.ringside.streams.fact.GpuFacts;
import io.ringside.streams.fact.GpuLinkFacts;
import io.ringside.streams.fact.JobInput;
import io.ringside.streams.fact.LogFacts;
import io.ringside.streams.fact.NodeGpus;
import io.ringside.streams.fact.TopologyFacts;
import io.ringside.streams.fact.WitnessFacts;
import io.ringside.streams.fact.Writer;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.NcclHead;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Joins what one node's agent sends, by PCI bus id, and gives each job its part.
///
/// @param callsPerSecond about how many calls a second of a rank on a communicator are kept; calls
///   above that are left out
public record NodeJoin(int callsPerSecond) {
  /// How many processes of a chunk may get earlier samples of the same GPU. Attempts that fail at
  /// once are few; for a log that names a new process in each line, all samples would be repeated
  /// each time.
  private static final int CLAIMS = 8;

  /// Keeps every call.
  public NodeJoin() {
    this(Integer.MAX_VALUE);
  }

  /// A record to send to a job.
  ///
  /// @param job key of the job, see {@link JobKey#text}
  public record Routed(String job, JobInput input) {}

  /// The facts of a chunk, or nothing if it is a repeat. Changes the state.
  public Optional<LogFacts> read(LogChunk chunk, SourceState source) {
    return ChunkReading.read(chunk, source, callsPerSecond);
  }

  /// Reads a chunk. Changes both states; gives nothing if the chunk is a repeat.
  ///
  /// @param recent the node's samples, for a process that turns out to have held a GPU before
  public List<Routed> chunk(
      LogChunk chunk, SourceState source, NodeState node, RecentSamples recent) {
    var read = read(chunk, source);
    if (read.isEmpty()) {
      return List.of();
    }
    var said = WitnessChunk.read(chunk);
    if (chunk.source().speaksOfNode()) {
      return said.isEmpty()
          ? KernelLines.place(chunk, read.get(), node)
          : WitnessRouting.place(chunk, said, node);
    }
    return said.isEmpty()
        ? facts(read.get(), node, recent)
        : List.of(
            new Routed(
                JobKey.of(chunk.source()).text(),
                new WitnessFacts(
                    chunk.source(),
                    said,
                    chunk.live() ? Nanos.of(chunk.readAt()) : LogChunk.NO_TIME)));
  }

  /// Routes the facts of a chunk that was read. Changes the node's state.
  ///
  /// @param recent the node's samples, for a process that turns out to have held a GPU before
  public List<Routed> facts(LogFacts facts, NodeState node, RecentSamples recent) {
    var routed = new ArrayList<Routed>();
    routed.add(new Routed(JobKey.of(facts.source()).text(), facts));
    routed.addAll(hold(facts, null, node, recent));
    return routed;
  }

  /// Gives a host's samples to its processes in a log of several hosts. Changes the host's state.
  /// Only for recordings: whoever writes a log can name any host in it.
  public List<Routed> factsOfHost(
      LogFacts facts, String host, NodeState node, RecentSamples recent) {
    return hold(facts, host, node, recent);
  }

  /// Places processes on the node's GPUs, and notes how long they hold them.
  ///
  /// @param host the host whose processes are placed, null for all
  private static List<Routed> hold(
      LogFacts facts, @Nullable String host, NodeState node, RecentSamples recent) {
    var routed = place(facts, host, node, recent);
    node.wrote(JobKey.of(facts.source()).text(), Nanos.of(facts.readAt()));
    if (facts.end()) {
      node.ended(facts.source().id(), facts.heldUntilNanos());
    }
    return routed;
  }

  /// Gives each reading to the job whose process owns the GPU, and keeps the sample for a while.
  public List<Routed> sample(GpuSample sample, NodeState node, RecentSamples recent) {
    recent.add(sample);
    var routed = new ArrayList<Routed>();
    placeJoined(node, () -> List.of(sample), routed);
    node.sample(sample)
        .forEach((job, readings) -> routed.add(new Routed(job, new GpuFacts(readings, List.of()))));
    return routed;
  }

  /// Gives the node's topology to its jobs. Changes the state.
  public List<Routed> topology(NodeTopology topology, NodeState node) {
    return node.topology(topology).stream()
        .map(job -> new Routed(job, new TopologyFacts(topology)))
        .toList();
  }

  /// Gives the agent's report to the jobs that run on the node. Changes the state.
  public List<Routed> report(NodeReport report, NodeState node) {
    var facts = node.report(report);
    var routed = new ArrayList<Routed>();
    node.running(Nanos.of(report.at())).forEach(job -> routed.add(new Routed(job, facts)));
    node.links(report).forEach((job, gpus) -> routed.add(new Routed(job, new GpuLinkFacts(gpus))));
    return routed;
  }

  /// The node's samples for a job whose lines have named no GPU there, if no other job holds one of
  /// the node's GPUs.
  public Optional<Routed> unheld(LogSource source, NodeState node, RecentSamples recent) {
    var samples = recent.of(source.node());
    return samples.isEmpty() || node.holdsAny()
        ? Optional.empty()
        : Optional.of(new Routed(JobKey.of(source).text(), new NodeGpus(source, samples)));
  }

  private static void placeJoined(
      NodeState node, Supplier<List<GpuSample>> recent, List<Routed> routed) {
    var topology = node.topology();
    for (var job : node.placeJoined(recent)) {
      if (topology != null) {
        routed.add(new Routed(job, new TopologyFacts(topology)));
      }
    }
  }

  /// @param host the host whose processes are placed, null for all
  private static List<Routed> place(
      LogFacts facts, @Nullable String host, NodeState node, RecentSamples recent) {
    var routed = new ArrayList<Routed>();
    var job = JobKey.of(facts.source()).text();
    var samples = new Unpacked(recent, host == null ? facts.node() : host);
    var claims = new HashMap<String, Integer>();
    var disputed = new TreeMap<String, List<String>>();
    for (var fact : facts.facts()) {
      if (host != null && !isOn(host, fact, facts)) {
        continue;
      }
      if (fact.event() instanceof NcclEvent.Collective && fact.comm() == null) {
        var device = NcclHead.device(fact.text());
        if (device.isPresent()) {
          node.join(
              facts.writers().get(fact.writer()).process(facts.source()),
              new NodeState.Joined(job, facts.source().pod(), device.getAsInt(), fact.atNanos()));
        }
      }
      if (fact.event() instanceof NcclEvent.CommInit init && init.busId() != null) {
        var topology = node.topology();
        if (topology != null && node.isNew(job)) {
          routed.add(new Routed(job, new TopologyFacts(topology)));
        }
        var process = facts.writers().get(fact.writer()).process(facts.source());
        if (node.placed(process)) {
          continue;
        }
        boolean few = claims.merge(init.busId(), 1, Integer::sum) <= CLAIMS;
        var past =
            node.place(init.busId(), job, process, fact.atNanos(), few ? samples.get() : List.of());
        if (!past.isEmpty()) {
          routed.add(new Routed(job, new GpuFacts(past, List.of())));
        }
        node.disputedBy(init.busId(), process)
            .forEach(
                (owner, processes) ->
                    disputed.computeIfAbsent(owner, _ -> new ArrayList<>()).addAll(processes));
      }
    }
    placeJoined(node, samples, routed);
    disputed.forEach(
        (owner, processes) -> routed.add(new Routed(owner, new GpuFacts(List.of(), processes))));
    return routed;
  }

  private static boolean isOn(String host, Fact fact, LogFacts facts) {
    return fact.writer() != Writer.NONE
        && facts.writers().get(fact.writer()).hostOf(facts.source()).equals(host);
  }

  /// The samples of a node, unpacked at most once.
  private static final class Unpacked implements Supplier<List<GpuSample>> {
    private final RecentSamples recent;
    private final String node;
    private @Nullable List<GpuSample> samples;

    Unpacked(RecentSamples recent, String node) {
      this.recent = recent;
      this.node = node;
    }

    @Override
    public List<GpuSample> get() {
      if (samples == null) {
        samples = recent.of(node);
      }
      return samples;
    }
  }
}
