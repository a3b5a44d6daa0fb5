package io.ringside.streams.examine;

import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Decides which pods of a run really share a machine.
///
/// The agent names the node, but logs gathered by hand have no agent, and one folder may contain
/// pods of several machines. Two pods whose processes hold the same PCI bus ID at the same time
/// cannot be on one machine. Nor can more ranks of a communicator than NCCL counts on one machine.
/// Nothing is then claimed about that node.
public record SharedNodes(Set<String> doubtful) {
  /// Looks at the GPUs of all processes.
  public static SharedNodes of(Run run) {
    Map<String, String> podOfGpu = new HashMap<>();
    Set<String> doubtful = new HashSet<>();
    for (var process : run.processes()) {
      if (process.busId() != null) {
        var node = process.node();
        var other = podOfGpu.putIfAbsent(node + "|" + process.busId(), pod(process));
        if (other != null && !other.equals(pod(process))) {
          doubtful.add(node);
        }
      }
    }
    calledAlike(run, doubtful);
    return new SharedNodes(doubtful);
  }

  /// Finds machines whose hosts share a name: more ranks have the name than NCCL counts on one
  /// machine. Pods of one machine have distinct names, and NCCL takes each for a machine.
  private static void calledAlike(Run run, Set<String> doubtful) {
    var world = run.world().map(Communicator::id).orElse("");
    Map<String, Integer> ranks = new HashMap<>();
    for (var process : run.processes()) {
      if (process.memberships().containsKey(world)) {
        ranks.merge(process.hostId(), 1, Integer::sum);
      }
    }
    for (var process : run.processes()) {
      var membership = process.memberships().get(world);
      if (membership != null
          && membership.localRanks() > 0
          && ranks.getOrDefault(process.hostId(), 0) > membership.localRanks()) {
        doubtful.add(process.node());
      }
    }
  }

  /// Whether both run on one machine, as far as is known.
  public boolean sameNode(TrainingProcess a, TrainingProcess b) {
    return samePod(a, b) || (a.node().equals(b.node()) && !doubtful.contains(a.node()));
  }

  /// Whether both run in one pod.
  public static boolean samePod(TrainingProcess a, TrainingProcess b) {
    return pod(a).equals(pod(b)) && a.node().equals(b.node());
  }

  private static String pod(TrainingProcess process) {
    var source = process.source();
    return source.namespace() + "|" + source.pod() + "|" + source.podUid();
  }
}
