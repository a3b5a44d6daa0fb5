package io.ringside.streams.job;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Which log files a launcher has written for several hosts: whoever read such a file does not name
/// the machine.
final class Gathering {
  /// By log file, the host of the first process that it named.
  private final Map<String, String> first = new TreeMap<>();

  private final Set<String> several = new TreeSet<>();

  /// A process begins. All others are looked at once a file: when its second host comes.
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
