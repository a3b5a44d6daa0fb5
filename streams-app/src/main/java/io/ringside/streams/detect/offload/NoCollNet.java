package io.ringside.streams.detect.offload;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Membership;
import io.ringside.streams.job.TrainingProcess;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Whether CollNet was asked for on all ranks of several hosts while it cannot be used, as they all
/// took one of NCCL's own networks: only a plugin brings CollNet, together with its network
/// (src/plugin/net.cc). Whether a plugin's CollNet is used is not known from its lines.
final class NoCollNet {
  static final String CAUSE =
      "NCCL's own networks have no CollNet: the plugin for SHARP (nccl-rdma-sharp-plugins) was not loaded";

  private static final String ENABLE = "NCCL_COLLNET_ENABLE";
  private static final String THRESHOLD = "NCCL_COLLNET_NODE_THRESHOLD";
  private static final Set<String> OWN_NETWORKS = Set.of("IB", "Socket");

  /// By default, and the least by which reductions leave a host.
  private static final int LEAST_HOSTS = 2;

  private NoCollNet() {}

  static boolean known(Examination examination) {
    var world = examination.run().world().map(Communicator::id).orElse("");
    var members = examination.members(world);
    if (members.isEmpty() || members.size() != examination.run().nranks()) {
      return false;
    }
    int nodes = nodes(world, members);
    return members.stream().allMatch(process -> isWithout(process, world, nodes));
  }

  /// As one rank tells it: a log of many ranks may lack the line of another one.
  private static int nodes(String world, List<TrainingProcess> members) {
    return members.stream()
        .map(process -> process.memberships().get(world))
        .filter(Objects::nonNull)
        .mapToInt(Membership::nodes)
        .max()
        .orElse(0);
  }

  private static boolean isWithout(TrainingProcess process, String world, int nodes) {
    var membership = process.memberships().get(world);
    return membership != null
        && process.variable(ENABLE).equals("1")
        && OWN_NETWORKS.contains(membership.network())
        && nodes >= LEAST_HOSTS
        && nodes >= threshold(process);
  }

  /// With fewer hosts NCCL does not use CollNet, by this variable. One that is no number forbids to
  /// judge.
  private static int threshold(TrainingProcess process) {
    var value = process.variable(THRESHOLD);
    if (value.isEmpty()) {
      return LEAST_HOSTS;
    }
    return value.matches("\\d{1,6}") ? Integer.parseInt(value) : Integer.MAX_VALUE;
  }

  /// The line in which a rank takes its network.
  static Optional<Evidence> proof(List<TrainingProcess> processes) {
    return processes.stream()
        .flatMap(process -> process.memberships().values().stream())
        .map(membership -> membership.proof(Membership.Statement.NETWORK))
        .filter(Objects::nonNull)
        .findFirst();
  }
}
