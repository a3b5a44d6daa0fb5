package io.ringside.streams.job;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Finds log files that a launcher has written for several hosts: the node that such a file was
/// read on is not the machine of all its processes.
final class LauncherLogs {
  /// By log file, the host of the first process that the file named.
  private final Map<String, String> first = new TreeMap<>();

  private final Set<String> several = new TreeSet<>();

  /// Records a process that begins. All others of the file are looked at only once, when its
  /// second host comes.
  void enter(TrainingProcess process, JobState state) {
    var file = process.source().id();
    if (process.nobody() || process.host().isEmpty()) {
      return;
    }
    if (several.contains(file)) {
      process.gathered();
      return;
    }
    var host = first.putIfAbsent(file, process.host());
    if (host != null && !host.equals(process.host())) {
      several.add(file);
      process.gathered();
      Stream.concat(
              state.unplaced.values().stream(),
              state.runs.stream().flatMap(run -> run.processesOf(file).stream()))
          .filter(other -> other.source().id().equals(file) && !other.nobody())
          .forEach(TrainingProcess::gathered);
    }
  }
}
