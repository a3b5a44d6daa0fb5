package io.ringside.lab.simulate;

import io.ringside.lab.simulate.Layout.Place;
import io.ringside.lab.simulate.NetworkFault.GdrLost;

/// Over which ways a rank's communicators connect, as `via` says it.
final class EdgeLines {
  private final JobPlan plan;
  private final Layout layout;
  private final Place place;
  private final Pen pen;
  private final boolean own;

  EdgeLines(JobPlan plan, Layout layout, Place place, Pen pen) {
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
      pen.info(own, local(0, place.local(), (place.local() + 1) % size));
      rings(true);
    }
  }

  /// From the stage of a pipeline before this one.
  void stageBefore() {
    int stage = place.pod();
    if (stage > 0) {
      pen.info(own, net(0, 1, stage - 1, stage, "receive"));
    }
  }

  /// To the stage after this one.
  void stageAfter() {
    int stage = place.pod();
    if (stage + 1 < plan.pods()) {
      pen.info(own, net(0, 1, stage, stage + 1, "send"));
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
    return plan.machine().gdr() && plan.libfabric() && !plan.has(NetworkFault.GdrOff.class);
  }

  private String local(int channel, int from, int to) {
    var version = plan.version();
    var ends = "%d[%s] -> %d[%s]".formatted(from, gpu(from), to, gpu(to));
    if (!p2p()) {
      return "Channel %02d : %s via %s".formatted(channel, ends, version.shm());
    }
    boolean read = plan.has(NetworkFault.P2pReadForced.class) || plan.machine().readsByPolicy();
    return "Channel %02d%s : %s via P2P/%s%s"
        .formatted(
            channel, version.connection(false), ends, version.p2pKind(), read ? "/read" : "");
  }

  /// @param connection 0 for collectives, 1 for sends and receives
  /// @param from and `to`: by their numbers in the communicator
  private String net(int channel, int connection, int from, int to, String direction) {
    int lost = plan.fault(GdrLost.class).map(GdrLost::rank).orElse(-1);
    boolean gdr = gdr() && place.rank() != lost;
    int device = plan.libfabric() ? place.gpu() % Math.max(1, plan.machine().efa()) : 0;
    boolean numbered = !plan.version().connection(true).isEmpty();
    return "Channel %02d%s : %d[%s] -> %d[%s] [%s] via NET/%s/%d%s"
        .formatted(
            channel,
            numbered ? "/" + connection : "",
            from,
            connection == 0 ? gpu(from) : gpu(place.rank()),
            to,
            connection == 0 ? gpu(to) : gpu(place.rank()),
            direction,
            plan.network(),
            device,
            gdr ? "/GDRDMA" : "");
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
