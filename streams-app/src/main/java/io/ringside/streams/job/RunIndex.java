package io.ringside.streams.job;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Finds a job's runs by what lines name: a process, a communicator, a file. A job that just begins
/// may have thousands of runs, and each line needs one. Follows the runs as they grow and merge; it
/// is built again if some are forgotten.
final class RunIndex {
  private final Map<String, Run> byProcess = new HashMap<>();
  private final Map<String, Run> byCommunicator = new HashMap<>();

  /// Runs whose processes write to a file, the newest last.
  private final Map<String, TreeMap<Integer, Run>> byFile = new HashMap<>();

  /// Runs for which a file reports a failure.
  private final Map<String, Set<Run>> failing = new HashMap<>();

  private final Map<Run, Integer> places = new HashMap<>();
  private int begun;

  /// @param runs in the order in which they were begun
  RunIndex(List<Run> runs) {
    for (var run : runs) {
      begins(run);
      run.processes().forEach(process -> enter(run, process));
      run.communicators().forEach(communicator -> byCommunicator.put(communicator.id(), run));
    }
  }

  /// Records a new run, with the failures reported before it.
  void begins(Run run) {
    places.put(run, begun++);
    run.failures().signs().forEach(sign -> fails(run, sign.source()));
  }

  private void enter(Run run, TrainingProcess process) {
    byProcess.put(process.id(), run);
    byFile.computeIfAbsent(process.source().id(), _ -> new TreeMap<>()).put(place(run), run);
  }

  private int place(Run run) {
    return Objects.requireNonNull(places.get(run));
  }

  void joins(Run run, TrainingProcess process, String communicator) {
    enter(run, process);
    byCommunicator.put(communicator, run);
  }

  /// Records that the file reports a failure of the run.
  void fails(Run run, String file) {
    failing.computeIfAbsent(file, _ -> new HashSet<>()).add(run);
  }

  /// Must be called before the run absorbs another one.
  void takesIn(Run run, Run other) {
    int place = place(other);
    for (var process : other.processes()) {
      byFile.getOrDefault(process.source().id(), new TreeMap<>()).remove(place);
      enter(run, process);
    }
    other.communicators().forEach(communicator -> byCommunicator.put(communicator.id(), run));
    for (var sign : other.failures().signs()) {
      failing.getOrDefault(sign.source(), new HashSet<>()).remove(other);
      fails(run, sign.source());
    }
    places.remove(other);
  }

  Optional<Run> ofProcess(String id) {
    return Optional.ofNullable(byProcess.get(id));
  }

  Optional<Run> ofCommunicator(String id) {
    return Optional.ofNullable(byCommunicator.get(id));
  }

  /// Runs that write to the file, the newest first.
  Collection<Run> writing(String file) {
    var writing = byFile.get(file);
    return writing == null ? List.of() : writing.descendingMap().values();
  }

  Set<Run> failing(String file) {
    return failing.getOrDefault(file, Set.of());
  }
}
