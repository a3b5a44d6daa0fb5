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

/// A node as one row: the record behind `GET /api/nodes`.
///
/// @param suspect whether so many runs blame the node, or one of its GPUs, that it is no
///   coincidence
/// @param runs number of runs that blame it
/// @param jobs jobs of these runs
/// @param gpus number of runs that blame each GPU, by PCI bus ID
/// @param blames newest first
public record NodeOverview(
    String cluster,
    String node,
    boolean suspect,
    int runs,
    List<JobKey> jobs,
    Map<String, Integer> gpus,
    List<Blamed> blames) {

  /// Position of a node in the list: most runs first, so suspects before others.
  public record Place(int runs, String cluster, String node) implements Comparable<Place> {
    private static final Comparator<Place> MOST_FIRST =
        Comparator.comparingInt(Place::runs)
            .reversed()
            .thenComparing(Place::cluster)
            .thenComparing(Place::node);

    public static Place of(NodeOverview node) {
      return new Place(node.runs(), node.cluster(), node.node());
    }

    /// Reads a position from {@link #parts}.
    public static Place read(String[] parts) {
      return new Place(Integer.parseInt(parts[0]), parts[1], parts[2]);
    }

    /// The position as texts.
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
  /// @param at time of the latest report; an unchanged blame is reported once an hour
  public record Blamed(
      String namespace,
      String job,
      String run,
      String finding,
      FindingKind kind,
      Severity severity,
      List<String> gpus,
      Instant at) {}

  /// Overview of a remembered node.
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
