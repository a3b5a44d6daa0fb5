package io.ringside.streams.examine;

import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Tells which pods of a run really share a machine.
///
/// The agent names the node, but logs gathered by hand have no agent, and pods of several machines
/// may lie in one folder. Two pods whose processes hold the same PCI bus id at once cannot be on
/// one machine, nor can more ranks of a communicator than NCCL counts on one: then nothing is
/// claimed about that node.
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

  /// Machines whose hosts have one name. Pods of one machine have names of their own, and NCCL
  /// takes them for machines.
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

  /// Whether both run on one machine, as far as can be told.
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
