package io.ringside.lab.simulate;

import io.ringside.lab.simulate.Schedule.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

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
      List<String> pointers) {

    Place {
      pointers = List.copyOf(pointers);
    }

    /// Address of a communicator in its process.
    String pointer(int comm) {
      return pointers.get(comm);
    }
  }

  Layout(JobPlan plan, int run, RandomGenerator random) {
    this.plan = plan;
    int firstPid = 100 + random.nextInt(3000) + 7000 * run;
    boolean together = plan.setting().processAPod();
    for (int rank = 0; rank < plan.ranks(); rank++) {
      int pod = rank / plan.gpusPerPod();
      int local = rank % plan.gpusPerPod();
      int node = pod / plan.podsPerNode();
      int gpu = pod % plan.podsPerNode() * plan.gpusPerPod() + local;
      // containers count their processes from 1, hosts do not
      int ofHost = plan.setting().names().hosts() ? 90_000 + 1013 * node : 0;
      int pid = ofHost + firstPid + (together ? 0 : local);
      var pointers = new ArrayList<String>();
      for (int comm = 0; comm < plan.schedule().comms().size(); comm++) {
        pointers.add(hex(random).substring(0, 14));
      }
      places.add(
          new Place(
              rank,
              node,
              pod,
              local,
              gpu,
              hostName(pod),
              pid,
              plan.initThread() || together ? pid + 300 + local : pid,
              pointers));
    }
    comms = new ArrayList<>();
    for (var span : plan.schedule().comms()) {
      comms.add(groups(spanned(span), random));
    }
  }

  private IntUnaryOperator spanned(Span span) {
    return switch (span) {
      case WORLD, AGAIN -> _ -> 0;
      case PODS -> this::pod;
      case PLACES -> rank -> places.get(rank).local();
      case STAGES -> rank -> stage(rank) * plan.gpusPerPod() + places.get(rank).local();
      case PIPES ->
          rank -> pod(rank) % podsPerStage() * plan.gpusPerPod() + places.get(rank).local();
      case PROGRAMS -> this::program;
    };
  }

  private int podsPerStage() {
    int stages = plan.schedule().pipeline().stages();
    return stages > plan.pods() ? 1 : Math.max(1, plan.pods() / stages);
  }

  /// Which stage of a pipeline the rank is in, 0 without one.
  int stage(int rank) {
    return plan.schedule().pipeline().stages() == 1
        ? 0
        : Math.min(pod(rank) / podsPerStage(), stages() - 1);
  }

  /// Stages of the pipeline, 1 without one.
  int stages() {
    int stages = plan.schedule().pipeline().stages();
    return Math.min(stages, plan.pods());
  }

  /// Which program the rank runs, where there are two.
  int program(int rank) {
    return plan.pods() > 1
        ? pod(rank) < (plan.pods() + 1) / 2 ? 0 : 1
        : rank < (plan.ranks() + 1) / 2 ? 0 : 1;
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
    return plan.setting().names().pod(plan.name(), pod, plan.podsPerNode());
  }

  /// As NCCL's headers name it: up to the first dot.
  private String hostName(int pod) {
    return podName(pod);
  }

  static String nodeName(JobPlan plan, int node) {
    if (plan.setting().names().hosts()) {
      return plan.setting().names().pod(plan.name(), node, 1);
    }
    int base = Math.floorMod(plan.seed(), 200);
    return "ip-10-%d-%d-%d".formatted(base, node / 250, node % 250);
  }

  List<Place> places() {
    return places;
  }

  Place place(int rank) {
    return places.get(rank);
  }

  /// Whether the rank has this communicator: NCCL's users make none for one rank.
  boolean has(int comm, int rank) {
    return comm == 0 || size(comm, rank) > 1;
  }

  /// Whether the rank makes this call in this step.
  boolean calls(Schedule.Call call, int step, int rank) {
    return call.due(step)
        && has(call.comm(), rank)
        && (call.group() < 0 || call.group() == group(call.comm(), rank));
  }

  /// The ranks of its group, in the group's order.
  int[] members(int comm, int rank) {
    int group = group(comm, rank);
    return IntStream.range(0, plan.ranks()).filter(other -> group(comm, other) == group).toArray();
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

  /// The rank after this one in the ring of a channel. Rings go through a pod from a local rank
  /// that turns with the channel, so that each GPU has network edges.
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
    int wished = plan.rdma() ? 4 : 2;
    int channels = plan.gpusPerPod() == 1 ? 2 : Math.min(wished, plan.gpusPerPod());
    return plan.has(NetworkFault.FewerChannels.class) ? channels / 2 : channels;
  }

  /// Whether the rank has an edge to another pod, in the world or in a group that joins pods.
  boolean hasNetworkEdge(int rank) {
    if (plan.schedule().groupsOnly()) {
      return false;
    }
    for (int channel = 0; channel < channels(); channel++) {
      if (!samePod(rank, next(rank, channel)) || !samePod(rank, previous(rank, channel))) {
        return true;
      }
    }
    for (int comm = 1; comm < plan.schedule().comms().size(); comm++) {
      if (plan.schedule().comms().get(comm) != Span.AGAIN && has(comm, rank)) {
        var members = members(comm, rank);
        int me = rankIn(comm, rank);
        if (!samePod(rank, members[(me + 1) % members.length])
            || !samePod(rank, members[(me + members.length - 1) % members.length])) {
          return true;
        }
      }
    }
    return false;
  }
}
