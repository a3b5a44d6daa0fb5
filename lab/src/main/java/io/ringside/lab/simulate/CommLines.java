package io.ringside.lab.simulate;

import io.ringside.lab.simulate.Layout.Place;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// How a rank's communicators come up: start and end of their init, who waited for whom, what NCCL
/// makes of the topology.
final class CommLines {
  private final JobPlan plan;
  private final Layout layout;
  private final Place place;
  private final RankLineWriter pen;

  CommLines(JobPlan plan, Layout layout, Place place, RankLineWriter pen) {
    this.plan = plan;
    this.layout = layout;
    this.place = place;
    this.pen = pen;
  }

  private String what(int comm) {
    var version = plan.version();
    return "comm %s rank %d nranks %d cudaDev %d %sbusId %s%s"
        .formatted(
            place.pointer(comm),
            layout.rankIn(comm, place.rank()),
            layout.size(comm, place.rank()),
            place.local(),
            version.startLines() ? "nvmlDev " + place.local() + " " : "",
            bus(),
            version.commIds() ? " commId " + layout.id(comm, place.rank()) : "");
  }

  /// An init of its own.
  ///
  /// @param starts when each rank's process began to initialise it
  /// @param connected when all of its ranks had found each other
  /// @param beforeComplete what is to be said before it is complete
  void init(int comm, double[] starts, double connected, Runnable beforeComplete) {
    var version = plan.version();
    var api = version.api(version.since(23) ? "ncclCommInitRankConfig" : "ncclCommInitRank");
    if (version.startLines()) {
      pen.init(
          (version.since(29) ? "[Rank " + layout.rankIn(comm, place.rank()) + "] " : "")
              + api
              + what(comm)
              + " - Init START");
    }
    pen.at(connected + 0.01 * place.local() / 8);
    if (version.since(24) && comm == 0) {
      pen.init("RAS client listening socket at 127.0.0.1<28028>");
    }
    double own = starts[place.rank()];
    if (version.bootstrapTimings()) {
      bootstrap(comm, starts, connected);
    }
    topology(comm);
    beforeComplete.run();
    if (place.local() == 0 && version.since(27)) {
      pen.init("TUNER/Plugin: Could not find: libnccl-tuner.so");
    }
    pen.init("threadThresholds 8/8/64 | 64/8/64 | 512 | 512");
    pen.init(channels(layout.channels()));
    if (version.since(22)) {
      pen.init(
          version.since(24)
              ? "CC Off, workFifoBytes 1048576"
              : "CC Off, Multi-GPU CC Off, workFifoBytes 1048576");
    }
    pen.init(api + what(comm) + " - Init COMPLETE");
    double total = pen.at() - own + (comm == 0 ? 0.4 : 0);
    if (version == NcclVersion.V2_22) {
      pen.init(
          String.format(
              Locale.ROOT,
              "Init timings: rank %d nranks %d total %.2f (kernels 0.34, bootstrap %.2f, allgathers 0.00, topo 0.05, graphs 0.00, connections 0.01, rest 0.00)",
              layout.rankIn(comm, place.rank()),
              layout.size(comm, place.rank()),
              total,
              Math.max(0, total - 0.4)));
    }
    if (version.since(23)) {
      pen.init(
          String.format(
              Locale.ROOT,
              "Init timings - ncclCommInitRankConfig: rank %d nranks %d total %.2f (kernels 0.34, alloc 0.37, bootstrap %.2f, allgathers 0.00, topo 0.05, graphs 0.00, connections 0.01, rest 0.00)",
              layout.rankIn(comm, place.rank()),
              layout.size(comm, place.rank()),
              total,
              Math.max(0, total - 0.77)));
    }
  }

  private String channels(int of) {
    var version = plan.version();
    return (version.since(20)
            ? "%1$d coll channels, %1$d collnet channels, 0 nvls channels, %1$d p2p channels"
            : version.since(17)
                ? "%1$d coll channels, 0 nvls channels, %1$d p2p channels"
                : "%1$d coll channels, %1$d p2p channels")
        .formatted(of)
        .concat(", 1 p2p channels per peer");
  }

  /// Who waited for whom: see docs on `late-start`; NCCL 2.23.4 and later src/bootstrap.cc.
  private void bootstrap(int comm, double[] starts, double connected) {
    var members = layout.members(comm, place.rank());
    int me = layout.rankIn(comm, place.rank());
    double own = starts[place.rank()];
    double total = Math.max(0.001, connected - 0.02 - own);
    double next = starts[members[(me + 1) % members.length]] - own;
    double previous = starts[members[(me + members.length - 1) % members.length]] - own;
    double recv = Math.clamp(next, 0.0002, total);
    double rest = Math.clamp(previous - recv, 0, total - recv);
    double ring = Math.max(0.0001, total - recv - rest - 0.0003);
    pen.init(
        String.format(
            Locale.ROOT,
            "Bootstrap timings total %f (create 0.000078, send 0.000189, recv %f, ring %f, delay 0.000001)",
            total,
            recv,
            ring));
  }

  private void topology(int comm) {
    var version = plan.version();
    pen.init(
        version.since(28)
            ? "ncclTopoGetCpuAffinity: Affinity for GPU %d is 0-31. (GPU affinity = 0-31 ; CPU affinity = 0-127)."
                .formatted(place.local())
            : "Setting affinity for GPU %d to %s"
                .formatted(place.local(), version.since(19) ? "0-31" : "ffffffff"));
    if (comm == 0) {
      environment();
    }
    if (version.since(20)) {
      pen.init(nodes(comm));
    }
    if (comm == 0 && place.rank() == 0 && !plan.schedule().groupsOnly()) {
      for (int channel = 0; channel < layout.channels(); channel++) {
        pen.init(ring(channel));
      }
    }
    trees(comm);
    if (version.since(16)) {
      pen.init("P2P Chunksize set to " + (plan.pods() > 1 ? 131_072 : 524_288));
    }
    if (version.since(23)) {
      pen.init(
          version.since(28)
              ? "PROFILER/Plugin: Could not find: libnccl-profiler.so"
              : "PROFILER/Plugin: Could not find: libnccl-profiler.so. ");
    }
    p2pCheck();
    if (version.since(23)) {
      pen.init("[Proxy Service] Device %d CPU core %d".formatted(place.local(), 8 + place.local()));
      pen.init(
          "[Proxy Service UDS] Device %d CPU core %d".formatted(place.local(), 40 + place.local()));
    }
  }

  /// Variables, which NCCL prints when it first uses them.
  private void environment() {
    var version = plan.version();
    if (plan.has(NetworkFault.P2pDisabled.class)) {
      pen.init(
          version.since(23)
              ? "NCCL_P2P_DISABLE set by environment to 1"
              : "NCCL_P2P_LEVEL set by environment to LOC");
    }
    if (plan.has(NetworkFault.P2pReadForced.class)) {
      pen.init("NCCL_P2P_READ_ENABLE set by environment to 1.");
    }
    if (plan.machine().fabric().internal()) {
      pen.init("NCCL_IB_HCA set to mlx5");
    }
    if (plan.has(NetworkFault.GdrOff.class)) {
      pen.init("NCCL_NET_GDR_LEVEL set by environment to LOC");
    }
    plan.fault(ProcessFault.EnvironmentDrift.class)
        .ifPresent(drift -> pen.init(drift.variable().words(drift.pod() == place.pod())));
  }

  private void trees(int comm) {
    int me = layout.rankIn(comm, place.rank());
    int last = layout.size(comm, place.rank()) - 1;
    var tree = "%d/-1/-1->%d->%d".formatted(me < last ? me + 1 : -1, me, me - 1);
    pen.init("Trees [0] %s [1] %s".formatted(tree, tree));
  }

  private void p2pCheck() {
    var version = plan.version();
    boolean p2p = plan.machine().p2p() && !plan.has(NetworkFault.P2pDisabled.class);
    int direct = p2p && plan.gpusPerPod() > 1 ? 1 : 0;
    if (version.since(28)) {
      pen.init(
          "Check P2P Type isAllDirectP2p %d directMode 0 isAllCudaP2p %d"
              .formatted(direct, direct));
    } else if (version.since(27) && place.rank() == 0) {
      pen.init("Check P2P Type isAllDirectP2p %d directMode 0".formatted(direct));
    } else if (version.since(24) && !version.since(27)) {
      pen.init("Check P2P Type intraNodeP2pSupport %d directMode 0".formatted(direct));
    }
  }

  private String nodes(int comm) {
    int ranks = layout.size(comm, place.rank());
    int[] members = layout.members(comm, place.rank());
    long hosts = IntStream.of(members).map(rank -> layout.place(rank).pod()).distinct().count();
    int before = 0;
    int beside = 0;
    for (int rank : members) {
      if (layout.samePod(rank, place.rank())) {
        beside++;
        before += rank < place.rank() ? 1 : 0;
      }
    }
    return "comm %s rank %d nRanks %d nNodes %d localRanks %d localRank %d MNNVL 0"
        .formatted(
            place.pointer(comm), layout.rankIn(comm, place.rank()), ranks, hosts, beside, before);
  }

  private String ring(int channel) {
    var order = new int[plan.ranks()];
    int rank = channel % plan.gpusPerPod();
    for (int i = 0; i < order.length; i++) {
      order[i] = rank;
      rank = layout.next(rank, channel);
    }
    var shown =
        IntStream.of(order)
            .limit(256)
            .mapToObj(r -> plan.version().since(23) ? " " + r : String.format(" %4d", r))
            .collect(Collectors.joining());
    return "Channel %02d/%02d :%s".formatted(channel, layout.channels(), shown);
  }

  /// A further communicator, split off the first.
  void split(int comm) {
    var version = plan.version();
    int rank = layout.rankIn(comm, place.rank());
    var network = plan.network(place.node());
    if (version.since(27)) {
      pen.main("Assigned NET plugin " + network + " to comm");
    }
    pen.init("Using network " + network);
    var who =
        "comm %s rank %d nranks %d cudaDev %d nvmlDev %d busId %s"
            .formatted(
                place.pointer(comm),
                rank,
                layout.size(comm, place.rank()),
                place.local(),
                place.local(),
                bus());
    int color = 2_003_953_581 % 1_000_000 + 1000 * comm + layout.group(comm, place.rank());
    String of;
    if (version.splitsWithoutId()) {
      of =
          " parent %s %s %d color %d key %d"
              .formatted(
                  place.pointer(0),
                  version.since(29) ? "childCount" : "splitCount",
                  comm,
                  color,
                  place.rank());
    } else if (version.since(21)) {
      of =
          " parent %s color %d key %d commId %s"
              .formatted(place.pointer(0), color, place.rank(), layout.id(comm, place.rank()));
    } else {
      of = " commId " + layout.id(comm, place.rank());
    }
    var gap = version.splitsWithoutId() && !version.since(29) ? "- " : " - ";
    pen.init(version.api("ncclCommSplit") + who + of + gap + "Init START");
    if (version.since(20)) {
      pen.init(nodes(comm));
    }
    pen.at(pen.at() + 0.02);
    pen.init(version.api("ncclCommSplit") + who + of + " - Init COMPLETE");
  }

  private String bus() {
    return plan.machine().packedBusId(place.gpu());
  }
}
