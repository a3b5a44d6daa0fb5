package io.ringside.streams.job;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.job.TrainingProcess.Variable;
import io.ringside.streams.parse.event.NcclEvent;
import java.util.Map;
import java.util.TreeMap;

/// Variables that lines of one file declare for the processes that begin there next.
final class DeclaredVariables {
  private static final int MOST = 128;

  private final Map<String, Variable> exported = new TreeMap<>();

  /// Variables of the last command only.
  private final Map<String, Variable> ofCommand = new TreeMap<>();

  void note(NcclEvent.Declared declared, Evidence line) {
    if (declared.ofCommand()) {
      ofCommand.clear();
    }
    var into = declared.ofCommand() ? ofCommand : exported;
    for (var set : declared.variables()) {
      if (set.value().isEmpty()) {
        into.remove(set.name());
      } else if (into.size() < MOST || into.containsKey(set.name())) {
        into.put(set.name(), new Variable(set.value(), false, line));
      }
    }
  }

  /// Variables of a process that begins now.
  Map<String, Variable> all() {
    var all = new TreeMap<>(exported);
    all.putAll(ofCommand);
    return all;
  }
}
