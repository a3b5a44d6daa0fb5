package io.ringside.standalone.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// Who runs where in one run of a job: processes by global rank, and the communicators they form.
final class Layout {
  private final JobPlan plan;
  private final List<Place> places = new ArrayList<>();
  private final String worldId;
  private final List<String> splitIds = new ArrayList<>();
  private final int[] groupOfRank;
  private final int[] rankInGroup;
  private final int[] groupSizes;

  /// A process.
  ///
  /// @param pod index over all nodes
  /// @param local index within the pod, its CUDA device
  /// @param gpu index within the node
  record Place(
      int rank,
      int node,
      int pod,
      int local,
      int gpu,
      String host,
      int pid,
      int initTid,
      String worldPointer,
      String splitPointer) {}

  Layout(JobPlan plan, int run, RandomGenerator random) {
    this.plan = plan;
    worldId = hex(random);
    int firstPid = 100 + random.nextInt(3000) + 7000 * run;
    for (int rank = 0; rank < plan.ranks(); rank++) {
      int pod = rank / plan.gpusPerPod();
      int local = rank % plan.gpusPerPod();
      int node = pod / plan.podsPerNode();
      int gpu = pod % plan.podsPerNode() * plan.gpusPerPod() + local;
      int pid = firstPid + local;
      places.add(
          new Place(
              rank,
              node,
              pod,
              local,
              gpu,
              podName(pod),
              pid,
              plan.initThread() ? pid + 300 + local : pid,
              hex(random).substring(0, 14),
              hex(random).substring(0, 14)));
    }
    groupOfRank = new int[plan.ranks()];
    rankInGroup = new int[plan.ranks()];
    boolean byPod = plan.schedule().split() == Schedule.Split.PODS;
    int groups = byPod ? plan.pods() : 1;
    groupSizes = new int[groups];
    for (int rank = 0; rank < plan.ranks(); rank++) {
      int group = byPod ? places.get(rank).pod() : 0;
      groupOfRank[rank] = group;
      rankInGroup[rank] = groupSizes[group]++;
    }
    for (int group = 0; group < groups; group++) {
      splitIds.add(hex(random));
    }
  }

  private static String hex(RandomGenerator random) {
    return "0x" + Long.toHexString(random.nextLong() | 1L << 62);
  }

  String podName(int pod) {
    return "%s-node-%d-%d"
        .formatted(plan.name(), pod / plan.podsPerNode(), pod % plan.podsPerNode());
  }

  static String nodeName(JobPlan plan, int node) {
    int base = Math.floorMod(plan.seed(), 200);
    return "ip-10-%d-%d-%d".formatted(base, node / 250, node % 250);
  }

  List<Place> places() {
    return places;
  }

  Place place(int rank) {
    return places.get(rank);
  }

  String worldId() {
    return worldId;
  }

  boolean split() {
    return plan.schedule().split() != Schedule.Split.NONE;
  }

  int group(int rank) {
    return groupOfRank[rank];
  }

  int groups() {
    return groupSizes.length;
  }

  int rankInSplit(int rank) {
    return rankInGroup[rank];
  }

  int splitSize(int rank) {
    return groupSizes[groupOfRank[rank]];
  }

  String splitId(int rank) {
    return splitIds.get(groupOfRank[rank]);
  }

  /// The rank after this one in the ring of a channel. Rings go through a pod from a local rank that
  /// turns with the channel, so that each GPU has network edges.
  int next(int rank, int channel) {
    int size = plan.gpusPerPod();
    var place = places.get(rank);
    int first = channel % size;
    int at = Math.floorMod(place.local() - first, size);
    return at + 1 < size
        ? place.pod() * size + (first + at + 1) % size
        : (place.pod() + 1) % plan.pods() * size + first;
  }

  /// The rank before this one in the ring of a channel.
  int previous(int rank, int channel) {
    int size = plan.gpusPerPod();
    var place = places.get(rank);
    int first = channel % size;
    int at = Math.floorMod(place.local() - first, size);
    return at > 0
        ? place.pod() * size + (first + at - 1) % size
        : Math.floorMod(place.pod() - 1, plan.pods()) * size + (first + size - 1) % size;
  }

  boolean samePod(int a, int b) {
    return places.get(a).pod() == places.get(b).pod();
  }

  /// Channels of the world communicator.
  int channels() {
    int wished = plan.libfabric() ? 4 : 2;
    return plan.gpusPerPod() == 1 ? 2 : Math.min(wished, plan.gpusPerPod());
  }

  /// Whether the rank has an edge to another pod.
  boolean hasNetworkEdge(int rank) {
    for (int channel = 0; channel < channels(); channel++) {
      if (!samePod(rank, next(rank, channel)) || !samePod(rank, previous(rank, channel))) {
        return true;
      }
    }
    return false;
  }
}
