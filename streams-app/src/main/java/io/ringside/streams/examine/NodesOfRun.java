package io.ringside.streams.examine;

import io.ringside.streams.job.TrainingProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// The nodes of the job's newest run, with its processes there. What happens to a node now does not
/// concern earlier runs.
public final class NodesOfRun {
  private NodesOfRun() {}

  /// Processes by node; empty for a run that is not the newest.
  public static TreeMap<String, List<TrainingProcess>> of(Examination examination) {
    var nodes = new TreeMap<String, List<TrainingProcess>>();
    if (examination.newestRun()) {
      for (var process : examination.run().byRank()) {
        nodes.computeIfAbsent(process.source().node(), _ -> new ArrayList<>()).add(process);
      }
    }
    return nodes;
  }
}
