package io.ringside.lab.simulate;

import io.ringside.lab.simulate.Layout.Place;
import io.ringside.lab.simulate.NetworkFault.GdrLost;
import java.util.stream.IntStream;

/// Over which ways a rank's communicators connect, as `via` says it.
final class EdgeLines {
  private final JobPlan plan;
  private final Layout layout;
  private final Place place;
  private final RankLineWriter pen;
  private final boolean own;

  EdgeLines(JobPlan plan, Layout layout, Place place, RankLineWriter pen) {
    this.plan = plan;
    this.layout = layout;
    this.place = place;
    this.pen = pen;
    own = place.initTid() == place.pid();
  }

  /// The rings of all ranks.
  void world() {
    if (plan.pods() > 1 && plan.version().since(23)) {
      pen.main("[Proxy Progress] Device %d CPU core %d".formatted(place.local(), 13));
    }
    for (int channel = 0; channel < layout.channels(); channel++) {
      int next = layout.next(place.rank(), channel);
      int previous = layout.previous(place.rank(), channel);
      if (previous != place.rank() && !layout.samePod(previous, place.rank())) {
        pen.info(own, net(channel, 0, previous, place.rank(), "receive"));
      }
      if (next != place.rank()) {
        pen.info(
            own,
            layout.samePod(place.rank(), next)
                ? local(channel, place.rank(), next)
                : net(channel, 0, place.rank(), next, "send"));
      }
    }
    boolean gdr = gdr() && !plan.has(GdrLost.class);
    rings(gdr || plan.pods() == 1);
    pen.info(own, "Connected all trees");
  }

  /// The ring of a communicator of one pod's ranks, which have other numbers there.
  void pod() {
    int size = plan.gpusPerPod();
    if (size > 1) {
      int next = (place.local() + 1) % size;
      int peer = place.rank() - place.local() + next;
      pen.info(own, local(0, place.local(), next, gpu(place.rank()), gpu(peer)));
      rings(true);
    }
  }

  /// The ring of any other communicator, by the order of its ranks. Exchanges of all with all
  /// connect the same neighbours first.
  void group(int comm) {
    var members = layout.members(comm, place.rank());
    int me = layout.rankIn(comm, place.rank());
    int next = (me + 1) % members.length;
    int previous = (me + members.length - 1) % members.length;
    if (!layout.samePod(members[previous], place.rank())) {
      pen.info(own, net(0, 0, previous, me, gpu(members[previous]), gpu(place.rank()), "receive"));
    }
    pen.info(
        own,
        layout.samePod(place.rank(), members[next])
            ? local(0, me, next, gpu(place.rank()), gpu(members[next]))
            : net(0, 0, me, next, gpu(place.rank()), gpu(members[next]), "send"));
    boolean joins = hosts(members) > 1;
    rings((gdr() && !plan.has(GdrLost.class)) || !joins);
  }

  private long hosts(int[] members) {
    return IntStream.of(members).map(rank -> layout.place(rank).pod()).distinct().count();
  }

  /// From the stage of a pipeline before this one.
  void stageBefore(int comm) {
    int me = layout.rankIn(comm, place.rank());
    if (me > 0 && layout.stage(place.rank()) > 0) {
      var gpu = gpu(place.rank());
      pen.info(own, net(0, 1, me - 1, me, gpu, gpu, "receive"));
    }
  }

  /// To the stage after this one.
  void stageAfter(int comm) {
    int me = layout.rankIn(comm, place.rank());
    if (me + 1 < layout.size(comm, place.rank())
        && layout.stage(place.rank()) + 1 < layout.stages()) {
      var gpu = gpu(place.rank());
      pen.info(own, net(0, 1, me, me + 1, gpu, gpu, "send"));
    }
  }

  private void rings(boolean gdr) {
    pen.info(
        own,
        plan.version().ringsSayGdr()
            ? "Connected all rings, use ring PXN 0 GDR " + (gdr ? 1 : 0)
            : "Connected all rings");
  }

  private boolean gdr() {
    return plan.machine().gdr()
        && plan.rdma()
        && !plan.network(place.node()).equals("Socket")
        && !plan.has(NetworkFault.GdrOff.class);
  }

  private String local(int channel, int from, int to) {
    return local(channel, from, to, gpu(from), gpu(to));
  }

  private String local(int channel, int from, int to, String gpu, String peer) {
    var version = plan.version();
    var ends = "%d[%s] -> %d[%s]".formatted(from, gpu, to, peer);
    if (!p2p()) {
      return "Channel %02d : %s via %s".formatted(channel, ends, version.shm());
    }
    boolean read = plan.has(NetworkFault.P2pReadForced.class) || plan.machine().readsByPolicy();
    return "Channel %02d%s : %s via P2P/%s%s"
        .formatted(channel, version.connection(false), ends, kind(), read ? "/read" : "");
  }

  /// @param from and `to`: global ranks
  private String net(int channel, int connection, int from, int to, String direction) {
    return net(channel, connection, from, to, gpu(from), gpu(to), direction);
  }

  /// @param connection 0 for collectives, 1 for sends and receives
  /// @param from and `to`: by their numbers in the communicator
  private String net(
      int channel, int connection, int from, int to, String gpu, String peer, String direction) {
    int lost = plan.fault(GdrLost.class).map(GdrLost::rank).orElse(-1);
    boolean gdr = gdr() && place.rank() != lost;
    var network = plan.network(place.node());
    int device = network.equals("Socket") ? 0 : place.gpu() % Math.max(1, plan.machine().nics());
    boolean numbered = !plan.version().connection(true).isEmpty();
    return "Channel %02d%s : %d[%s] -> %d[%s] [%s] via NET/%s/%d%s"
        .formatted(
            channel,
            numbered ? "/" + connection : "",
            from,
            gpu,
            to,
            peer,
            direction,
            network,
            device,
            gdr ? "/GDRDMA" : "");
  }

  /// RCCL and processes of several GPUs have addresses of their own.
  private String kind() {
    return plan.setting().processAPod()
        ? "direct pointer"
        : plan.machine().amd() ? "IPC" : plan.version().p2pKind();
  }

  private boolean p2p() {
    return plan.machine().p2p() && !plan.has(NetworkFault.P2pDisabled.class);
  }

  /// The GPU as edges name it: its bus id up to 2.18.1, then its index.
  private String gpu(int rank) {
    var of = layout.place(rank);
    return plan.version().startLines()
        ? Integer.toString(of.local())
        : plan.machine().packedBusId(of.gpu());
  }
}
