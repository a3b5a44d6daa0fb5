package io.ringside.streams.publish;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.judge.suspect.NodeMemory;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// A node on one line: the record behind `GET /api/nodes`.
///
/// @param suspect whether as many runs blame it, or one of its GPUs, that it is no accident any
///   more
/// @param runs how many runs blame it
/// @param jobs of which jobs
/// @param gpus how many runs blame each GPU, by PCI bus id
/// @param blames newest first
public record NodeOverview(
    String cluster,
    String node,
    boolean suspect,
    int runs,
    List<JobKey> jobs,
    Map<String, Integer> gpus,
    List<Blamed> blames) {

  /// Where a node stands in the list: most runs first, so suspects before others.
  public record Place(int runs, String cluster, String node) implements Comparable<Place> {
    private static final Comparator<Place> MOST_FIRST =
        Comparator.comparingInt(Place::runs)
            .reversed()
            .thenComparing(Place::cluster)
            .thenComparing(Place::node);

    public static Place of(NodeOverview node) {
      return new Place(node.runs(), node.cluster(), node.node());
    }

    /// Out of {@link #parts}.
    public static Place read(String[] parts) {
      return new Place(Integer.parseInt(parts[0]), parts[1], parts[2]);
    }

    /// As texts.
    public String[] parts() {
      return new String[] {Integer.toString(runs), cluster, node};
    }

    @Override
    public int compareTo(Place other) {
      return MOST_FIRST.compare(this, other);
    }
  }

  /// One finding that blames the node.
  ///
  /// @param at when that was last said; what stays the same is said once an hour
  public record Blamed(
      String namespace,
      String job,
      String run,
      String finding,
      FindingKind kind,
      Severity severity,
      List<String> gpus,
      Instant at) {}

  /// The node as it is remembered.
  public static NodeOverview of(NodeMemory memory, Thresholds.Nodes limit) {
    return new NodeOverview(
        memory.cluster(),
        memory.node(),
        memory.suspect(limit.runs()),
        memory.runs(),
        memory.jobs(),
        memory.runsByGpu(),
        memory.blames().reversed().stream()
            .map(
                blame ->
                    new Blamed(
                        blame.jobKey().namespace(),
                        blame.job(),
                        blame.run(),
                        blame.finding(),
                        blame.kind(),
                        blame.severity(),
                        blame.gpus(),
                        blame.at()))
            .toList());
  }
}
