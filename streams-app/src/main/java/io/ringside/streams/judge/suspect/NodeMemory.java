package io.ringside.streams.judge.suspect;

import io.ringside.schemas.event.JobKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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

  /// Number of runs that blame the node. Runs of one job that blame the same ranks there count
  /// once: a heavy rank is late on whichever node it runs, and only if lateness stays on the node
  /// when other ranks or jobs run there, the node is to blame.
  public int runs() {
    return independent(blames).size();
  }

  /// Jobs that blame the node, sorted.
  public List<JobKey> jobs() {
    return List.copyOf(new TreeSet<>(blames.stream().map(Blame::jobKey).toList()));
  }

  /// Number of runs that blame each of its GPUs, by PCI bus ID; runs that blame the same ranks
  /// count once.
  public TreeMap<String, Integer> runsByGpu() {
    var byGpu = new TreeMap<String, List<Blame>>();
    for (var blame : blames) {
      blame.gpus().forEach(gpu -> byGpu.computeIfAbsent(gpu, _ -> new ArrayList<>()).add(blame));
    }
    var counted = new TreeMap<String, Integer>();
    byGpu.forEach((gpu, of) -> counted.put(gpu, independent(of).size()));
    return counted;
  }

  /// Whether so many runs blame the node that it is no coincidence.
  public boolean suspect(int leastRuns) {
    return runs() >= leastRuns;
  }

  /// Runs whose blames do not follow from each other: those that blame the node for something other
  /// than a rank's lateness, and of the others each whose late ranks were not late there in one of
  /// these before.
  private static Set<RunName> independent(List<Blame> blames) {
    var runs = new HashSet<RunName>();
    blames.stream()
        .filter(blame -> blame.ranks().isEmpty())
        .map(NodeMemory::runOf)
        .forEach(runs::add);
    var lateIn = new LinkedHashMap<RunName, Set<Integer>>();
    for (var blame : blames) {
      if (!runs.contains(runOf(blame))) {
        lateIn.computeIfAbsent(runOf(blame), _ -> new HashSet<>()).addAll(blame.ranks());
      }
    }
    var before = new HashMap<JobKey, Set<Integer>>();
    lateIn.forEach(
        (run, ranks) -> {
          var late = before.computeIfAbsent(run.job(), _ -> new HashSet<>());
          if (Collections.disjoint(late, ranks)) {
            runs.add(run);
          }
          late.addAll(ranks);
        });
    return runs;
  }

  private static RunName runOf(Blame blame) {
    return new RunName(blame.jobKey(), blame.run());
  }

  private record RunName(JobKey job, String run) {}
}
