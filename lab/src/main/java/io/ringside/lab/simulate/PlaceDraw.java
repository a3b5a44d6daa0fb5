package io.ringside.lab.simulate;

import java.util.List;

/// Draws where a job runs, so that its fault can show there.
///
/// @param gpusPerPod ranks of a pod
record PlaceDraw(Machine machine, int nodes, int podsPerNode, int gpusPerPod) {

  static PlaceDraw of(JobKind kind, int maxRanks, Chance chance) {
    int wished = (int) Math.round(Math.exp(chance.between(Math.log(2), Math.log(maxRanks + 0.49))));
    var machine = chance.oneOf(machines(kind));
    boolean split = kind == JobKind.SPLIT || kind == JobKind.LOST_POD;
    int podsPerNode = split ? (chance.of(0.5) ? 2 : 4) : 1;
    int most = machine.gpus() / podsPerNode;
    int gpusPerPod = Math.min(most, Math.max(1, wished));
    if (split && chance.of(0.4)) {
      gpusPerPod = 1;
    } else if (chance.of(0.1)) {
      gpusPerPod = 1;
    } else if (chance.of(0.1)) {
      gpusPerPod = Math.max(1, gpusPerPod / 2);
    }
    gpusPerPod = Math.max(leastGpus(kind, machine), gpusPerPod);
    int nodes = Math.max(leastNodes(kind), wished / (podsPerNode * gpusPerPod));
    if (kind == JobKind.BENCH || kind == JobKind.LOST_POD) {
      nodes = 1;
    }
    while (nodes * podsPerNode * gpusPerPod < leastRanks(kind)) {
      nodes++;
    }
    return new PlaceDraw(machine, nodes, podsPerNode, gpusPerPod);
  }

  private static List<Machine> machines(JobKind kind) {
    return switch (kind) {
      case EFA_FALLBACK, LOST_EFA, NICS, VERSIONS -> List.of(Machine.P4D, Machine.P5, Machine.G6E);
      case P2P_READ, LOST_WRITES -> List.of(Machine.H200, Machine.P5);
      case SHM, LOST_P2P, LOST_POD, BENCH -> List.of(Machine.H200, Machine.P4D, Machine.P5);
      case GDR_LOST, GDR_OFF, LOST_GDR -> List.of(Machine.P4D, Machine.P5);
      default -> Machine.ALL;
    };
  }

  private static int leastGpus(JobKind kind, Machine machine) {
    return switch (kind) {
      case P2P_READ, SHM, LOST_P2P, LOST_WRITES, LOST_CHANNELS, BENCH -> 2;
      // the pod's share of the NICs must be two at least
      case NICS -> Math.max(1, 2 * machine.gpus() / machine.efa());
      default -> 1;
    };
  }

  private static int leastNodes(JobKind kind) {
    return switch (kind) {
      case EFA_FALLBACK, LOST_EFA, GDR_LOST, GDR_OFF, LOST_GDR, VERSIONS, ENVIRONMENT -> 2;
      default -> 1;
    };
  }

  private static int leastRanks(JobKind kind) {
    return switch (kind) {
      case TWO_STRAGGLERS -> 5;
      case MOVING_LOAD -> 4;
      default -> 2;
    };
  }

  int pods() {
    return nodes * podsPerNode;
  }

  int ranks() {
    return pods() * gpusPerPod;
  }
}
