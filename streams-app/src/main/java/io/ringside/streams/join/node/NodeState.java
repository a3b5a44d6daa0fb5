package io.ringside.streams.join.node;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.NodeTopology;
import io.ringside.streams.join.fact.GpuFacts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Which processes own which GPUs of one node, and the node's latest GPU samples.
///
/// Log lines and samples reach a node's partition through different topics, so either may come first:
/// samples are kept for a while, and a process that is placed late still gets those of its time. Owned
/// by one stream thread.
public final class NodeState {
  private static final int MAX_SAMPLES = 1800;
  private static final int MAX_PLACEMENTS = 512;

  private @Nullable NodeTopology topology;
  private final List<Placement> placements = new ArrayList<>();
  private final Deque<GpuSample> recent = new ArrayDeque<>();

  /// A process that holds the GPU from some moment on.
  ///
  /// @param sinceNanos start of its first communicator's init
  record Placement(String busId, String job, String process, long sinceNanos) {}

  /// Places a process on its GPU.
  ///
  /// @return readings of the GPU that came before, with the process they turn out to belong to; empty
  ///     if the process was placed already or its lines carry no times
  List<GpuFacts.Placed> place(String busId, String job, String process, long sinceNanos) {
    for (var placement : placements) {
      if (placement.process().equals(process)) {
        return List.of();
      }
    }
    if (placements.size() == MAX_PLACEMENTS) {
      placements.removeFirst();
    }
    placements.add(new Placement(busId, job, process, sinceNanos));
    var past = new ArrayList<GpuFacts.Placed>();
    if (sinceNanos != NO_TIME) {
      for (var sample : recent) {
        long at = Nanos.of(sample.at());
        for (var reading : sample.gpus()) {
          if (at >= sinceNanos && reading.busId().equals(busId)) {
            past.add(new GpuFacts.Placed(process, at, reading));
          }
        }
      }
    }
    return past;
  }

  /// Takes in a sample.
  ///
  /// @return its readings by job, for those GPUs that belong to a process
  Map<String, List<GpuFacts.Placed>> sample(GpuSample sample) {
    recent.addLast(sample);
    if (recent.size() > MAX_SAMPLES) {
      recent.removeFirst();
    }
    long at = Nanos.of(sample.at());
    var byJob = new TreeMap<String, List<GpuFacts.Placed>>();
    for (var reading : sample.gpus()) {
      for (var owner : ownersOf(reading, at)) {
        byJob
            .computeIfAbsent(owner.job(), _ -> new ArrayList<>())
            .add(new GpuFacts.Placed(owner.process(), at, reading));
      }
    }
    return byJob;
  }

  /// All processes that may have owned the GPU then; the job knows which of its runs was on.
  private List<Placement> ownersOf(GpuReading reading, long at) {
    var owners = new ArrayList<Placement>();
    for (var placement : placements) {
      if (placement.busId().equals(reading.busId())
          && placement.sinceNanos() != NO_TIME
          && placement.sinceNanos() <= at) {
        owners.add(placement);
      }
    }
    return owners;
  }

  /// Takes in the node's topology.
  ///
  /// @return the jobs that must know
  TreeSet<String> topology(NodeTopology newest) {
    topology = newest;
    var jobs = new TreeSet<String>();
    placements.forEach(placement -> jobs.add(placement.job()));
    return jobs;
  }

  /// Null until the agent told.
  @Nullable NodeTopology topology() {
    return topology;
  }

  /// Whether no process of the job is on this node yet.
  boolean isNew(String job) {
    return placements.stream().noneMatch(placement -> placement.job().equals(job));
  }
}
