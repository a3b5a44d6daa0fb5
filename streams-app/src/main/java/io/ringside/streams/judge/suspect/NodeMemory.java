package io.ringside.streams.judge.suspect;

import io.ringside.schemas.event.JobKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The recent blames of a node, limited in number and in time. Immutable; each change returns a new
/// value.
///
/// @param blames oldest first, one for each finding; blames without their job's namespace are
///   dropped
public record NodeMemory(String cluster, String node, List<Blame> blames) {
  private static final Comparator<Blame> OLDEST_FIRST =
      Comparator.comparing(Blame::at).thenComparing(Blame::jobKey).thenComparing(Blame::finding);

  public NodeMemory {
    // next to new blames, those of an older version would count as another job's
    blames = blames.stream().filter(blame -> blame.namespace() != null).toList();
  }

  /// Memory of a node that was never blamed.
  public static NodeMemory of(String cluster, String node) {
    return new NodeMemory(cluster, node, List.of());
  }

  /// Adds a blame, in place of an earlier one for the same finding.
  ///
  /// @param most most findings that are remembered; older ones are forgotten first
  public NodeMemory with(Blame blame, int most) {
    var kept = new ArrayList<>(blames);
    kept.removeIf(blame::sameFinding);
    if (!blame.withdrawn()) {
      kept.add(blame);
    }
    kept.sort(OLDEST_FIRST);
    return new NodeMemory(
        cluster, node, kept.subList(Math.max(0, kept.size() - most), kept.size()));
  }

  /// Drops blames whose latest report is older than this.
  public NodeMemory since(Instant now, Duration memory) {
    var oldest = now.minus(memory);
    return new NodeMemory(
        cluster, node, blames.stream().filter(blame -> !blame.at().isBefore(oldest)).toList());
  }

  /// Number of runs that blame the node.
  public int runs() {
    return (int) blames.stream().map(NodeMemory::runOf).distinct().count();
  }

  /// Jobs that blame the node, sorted.
  public List<JobKey> jobs() {
    return List.copyOf(new TreeSet<>(blames.stream().map(Blame::jobKey).toList()));
  }

  /// Number of runs that blame each of its GPUs, by PCI bus ID.
  public TreeMap<String, Integer> runsByGpu() {
    var runs = new TreeMap<String, Set<RunName>>();
    for (var blame : blames) {
      blame
          .gpus()
          .forEach(gpu -> runs.computeIfAbsent(gpu, _ -> new HashSet<>()).add(runOf(blame)));
    }
    var counted = new TreeMap<String, Integer>();
    runs.forEach((gpu, of) -> counted.put(gpu, of.size()));
    return counted;
  }

  /// Whether so many runs blame the node that it is no coincidence.
  public boolean suspect(int leastRuns) {
    return runs() >= leastRuns;
  }

  private static RunName runOf(Blame blame) {
    return new RunName(blame.jobKey(), blame.run());
  }

  private record RunName(JobKey job, String run) {}
}
