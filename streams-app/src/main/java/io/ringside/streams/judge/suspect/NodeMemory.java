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

/// What a node was blamed for lately. Bounded in number and in time. A value; each change gives
/// another.
///
/// @param blames oldest first, one a finding; those that do not tell their job's namespace are left
///   out
public record NodeMemory(String cluster, String node, List<Blame> blames) {
  private static final Comparator<Blame> OLDEST_FIRST =
      Comparator.comparing(Blame::at).thenComparing(Blame::jobKey).thenComparing(Blame::finding);

  public NodeMemory {
    // what an older version remembers would be another job's beside what is said now
    blames = blames.stream().filter(blame -> blame.namespace() != null).toList();
  }

  /// Of a node that was never blamed.
  public static NodeMemory of(String cluster, String node) {
    return new NodeMemory(cluster, node, List.of());
  }

  /// With what is said now of one finding, in place of what was said of it before.
  ///
  /// @param most how many findings are remembered; older ones are forgotten first
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

  /// Without what was last said longer ago than this.
  public NodeMemory since(Instant now, Duration memory) {
    var oldest = now.minus(memory);
    return new NodeMemory(
        cluster, node, blames.stream().filter(blame -> !blame.at().isBefore(oldest)).toList());
  }

  /// Runs that blame it.
  public int runs() {
    return (int) blames.stream().map(NodeMemory::runOf).distinct().count();
  }

  /// Jobs that blame it, in their order.
  public List<JobKey> jobs() {
    return List.copyOf(new TreeSet<>(blames.stream().map(Blame::jobKey).toList()));
  }

  /// How many runs blame each of its GPUs, by PCI bus id.
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

  /// Whether as many runs blame it that it is no accident any more.
  public boolean suspect(int leastRuns) {
    return runs() >= leastRuns;
  }

  private static RunName runOf(Blame blame) {
    return new RunName(blame.jobKey(), blame.run());
  }

  private record RunName(JobKey job, String run) {}
}
