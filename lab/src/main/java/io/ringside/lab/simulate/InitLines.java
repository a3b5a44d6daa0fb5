package io.ringside.lab.simulate;

import io.ringside.lab.simulate.Layout.Place;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// What one rank prints from its start until it trains, in the shapes of its NCCL release.
/// Templates are lines of `examples/recordings`, of the parser's fixtures, and the format strings
/// of NVIDIA/nccl and aws/aws-ofi-nccl.
final class InitLines {
  private final JobPlan plan;
  private final Layout layout;
  private final Place place;
  private final double[] starts;
  private final double connected;
  private final Timeline timeline;
  private final RankLineWriter pen;
  private final CommLines comms;
  private final EdgeLines edges;

  /// @param starts when each rank's process starts NCCL
  /// @param connected when all ranks have found each other
  InitLines(
      JobPlan plan,
      Layout layout,
      Place place,
      double[] starts,
      double connected,
      Timeline timeline,
      List<Line> lines) {
    this.plan = plan;
    this.layout = layout;
    this.place = place;
    this.starts = starts;
    this.connected = connected;
    this.timeline = timeline;
    pen = new RankLineWriter(plan.version(), place, lines);
    comms = new CommLines(plan, layout, place, pen);
    edges = new EdgeLines(plan, layout, place, pen);
  }

  /// When this process calls ncclCommInitRank after what is local.
  static double initStart(double start) {
    return start + 0.7;
  }

  void write() {
    pen.at(starts[place.rank()]);
    process(plan, layout, place, starts, pen);
    pen.at(pen.at() + 0.3);
    new PluginLines(plan, place, address(place), pen).write();
    pen.at(initStart(starts[place.rank()]));
    var begun = Arrays.stream(starts).map(InitLines::initStart).toArray();
    boolean lazy = plan.version().lazyConnections();
    comms.init(0, begun, connected, lazy ? () -> {} : () -> connect(0));
    int comms = plan.schedule().comms().size();
    for (int comm = 1; comm < comms; comm++) {
      if (layout.has(comm, place.rank())) {
        further(comm, lazy);
      }
    }
    for (int comm = 0; comm < comms; comm++) {
      if (comm == plan.schedule().pipes()) {
        neighbours(comm);
      } else if (lazy) {
        lazily(comm);
      }
    }
  }

  /// Sends and receives connect when they are first called, whatever the release.
  private void neighbours(int comm) {
    double first = timeline.firstCall(place.rank());
    if (Double.isFinite(first) && layout.has(comm, place.rank())) {
      pen.tick(0.0000005);
      pen.at(first + RunLines.RECEIVE + 0.00001);
      edges.stageBefore(comm);
      pen.at(first + RunLines.SEND + 0.00001);
      edges.stageAfter(comm);
    }
  }

  private void further(int comm, boolean lazy) {
    double at = connected + 0.4 * comm;
    pen.at(at);
    if (plan.version().startLines() && !plan.schedule().groupsOnly()) {
      comms.split(comm);
      if (!lazy && comm != plan.schedule().pipes()) {
        connect(comm);
      }
      return;
    }
    var begun = new double[plan.ranks()];
    Arrays.fill(begun, at);
    pen.init("Using network " + plan.network(place.node()));
    comms.init(
        comm,
        begun,
        at + 0.03,
        lazy || comm == plan.schedule().pipes() ? () -> {} : () -> connect(comm));
  }

  /// Connects at the first call on the communicator, which waits for it.
  private void lazily(int comm) {
    double first = timeline.firstCall(comm, place.rank());
    if (Double.isFinite(first) && layout.has(comm, place.rank())) {
      pen.at(first + 0.00001);
      pen.tick(0.0000005);
      connect(comm);
    }
  }

  private void connect(int comm) {
    switch (plan.schedule().comms().get(comm)) {
      case WORLD -> edges.world();
      case AGAIN -> {}
      case PODS -> edges.pod();
      case PLACES, STAGES, PIPES, PROGRAMS -> edges.group(comm);
    }
  }

  /// What a process says before it knows of any communicator.
  static void process(
      JobPlan plan, Layout layout, Place place, double[] starts, RankLineWriter pen) {
    var version = plan.version();
    if (plan.torchLines()) {
      pen.torch(
          "ProcessGroupNCCL.cpp:988",
          "ProcessGroupNCCL initialization options: size: %d, global rank: %d, TIMEOUT(ms): %d, USE_HIGH_PRIORITY_STREAM: 0, SPLIT_FROM: 0, SPLIT_COLOR: -2, PG Name: 0"
              .formatted(plan.ranks(), place.rank(), 600_000));
    }
    pen.main("NCCL_SOCKET_IFNAME set by environment to ^docker0,lo");
    pen.main(
        (version.since(24) ? "Bootstrap: Using eth0:" : "Bootstrap : Using eth0:")
            + address(place)
            + "<0>");
    if (plan.machine().amd()) {
      rocm(version, place, pen);
    } else {
      version(version, place, pen);
    }
    if (plan.torchLines()) {
      double waited =
          place.rank() == 0 ? 0.00006 : Math.max(0, starts[0] - starts[place.rank()]) + 0.004;
      double now = pen.at();
      pen.at(now + waited);
      pen.torch(
          "ProcessGroupNCCL.cpp:3146",
          "ProcessGroupNCCL broadcast unique ID through store took %s ms"
              .formatted(String.format(Locale.ROOT, "%.6g", waited * 1000)));
      pen.at(now);
    }
  }

  /// RCCL says five lines about itself, without a header (its src/init.cc).
  private static void rocm(NcclVersion version, Place place, RankLineWriter pen) {
    if (place.rank() == 0) {
      pen.other("RCCL version : " + version.number() + "-HEAD:9ec9c0c");
      pen.other("HIP version  : 6.3.42131-fa1d09cbd");
      pen.other("ROCm version : 6.3.0.0-39-9c7e6a5");
      pen.other("Hostname     : " + place.host());
      pen.other("Library path : /opt/rocm/lib/librccl.so.1");
    }
  }

  private static void version(NcclVersion version, Place place, RankLineWriter pen) {
    if (version.since(28)) {
      pen.main("ENV/Plugin: Could not find: libnccl-env.so");
    }
    if (version.since(13)) {
      pen.main("cudaDriverVersion 13000");
    }
    if (version.versionOnEveryRank()) {
      pen.main(version.line());
      if (version == NcclVersion.V2_30) {
        pen.main("NCCL git version HEAD 5f2a9c1");
      }
    } else if (place.rank() == 0) {
      pen.other(version.line());
    }
    if (version.since(21)) {
      pen.main("Comm config Blocking set to 1");
    }
  }

  private static String address(Place place) {
    return "10.%d.%d.%d"
        .formatted(4 + place.pod() / 62_500, place.pod() / 250 % 250, 4 + place.pod() % 250);
  }
}
