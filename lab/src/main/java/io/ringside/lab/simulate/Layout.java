package io.ringside.lab.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;

/// Who runs where in one run of a job: processes by global rank, and the communicators they form.
final class Layout {
  private final JobPlan plan;
  private final List<Place> places = new ArrayList<>();
  private final List<Groups> comms;

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
    var split = plan.schedule().split();
    comms =
        List.of(
            groups(split == Schedule.Split.STAGES ? this::pod : _ -> 0, random),
            groups(
                switch (split) {
                  case NONE, ALL -> _ -> 0;
                  case PODS -> this::pod;
                  case STAGES -> rank -> places.get(rank).local();
                },
                random));
  }

  /// The groups of one communicator: which one each rank is in, and as which of how many.
  private record Groups(int[] ofRank, int[] rankIn, int[] sizes, List<String> ids) {}

  private Groups groups(IntUnaryOperator groupOf, RandomGenerator random) {
    var ofRank = new int[plan.ranks()];
    int count = 0;
    for (int rank = 0; rank < ofRank.length; rank++) {
      ofRank[rank] = groupOf.applyAsInt(rank);
      count = Math.max(count, ofRank[rank] + 1);
    }
    var rankIn = new int[ofRank.length];
    var sizes = new int[count];
    for (int rank = 0; rank < ofRank.length; rank++) {
      rankIn[rank] = sizes[ofRank[rank]]++;
    }
    var ids = new ArrayList<String>();
    for (int group = 0; group < count; group++) {
      ids.add(hex(random));
    }
    return new Groups(ofRank, rankIn, sizes, ids);
  }

  private int pod(int rank) {
    return places.get(rank).pod();
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

  /// Whether there is a second communicator of more than one rank.
  boolean split() {
    return plan.schedule().split() != Schedule.Split.NONE
        && (plan.schedule().split() != Schedule.Split.STAGES || plan.pods() > 1);
  }

  /// Which group of a communicator the rank is in.
  int group(int comm, int rank) {
    return comms.get(comm).ofRank()[rank];
  }

  int groups(int comm) {
    return comms.get(comm).sizes().length;
  }

  /// The rank's number in its group.
  int rankIn(int comm, int rank) {
    return comms.get(comm).rankIn()[rank];
  }

  int size(int comm, int rank) {
    return comms.get(comm).sizes()[group(comm, rank)];
  }

  /// The id that a communicator shows on all its ranks, where it shows one.
  String id(int comm, int rank) {
    return comms.get(comm).ids().get(group(comm, rank));
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
    int channels = plan.gpusPerPod() == 1 ? 2 : Math.min(wished, plan.gpusPerPod());
    return plan.has(NetworkFault.FewerChannels.class) ? channels / 2 : channels;
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
