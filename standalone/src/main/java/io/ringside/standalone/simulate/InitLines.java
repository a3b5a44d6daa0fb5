package io.ringside.standalone.simulate;

import io.ringside.standalone.simulate.Fault.EfaFallback.Cause;
import io.ringside.standalone.simulate.Layout.Place;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What one rank prints from its start until it trains, in the shapes of its NCCL release. Templates are
/// lines of `examples/recordings` and the format strings of NVIDIA/nccl and aws/aws-ofi-nccl.
final class InitLines {
  private final JobPlan plan;
  private final Layout layout;
  private final Place place;
  private final double[] starts;
  private final double connected;
  private final Timeline timeline;
  private final List<Line> lines;
  private double at;
  private double tick = 0.00005;

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
    this.lines = lines;
  }

  /// When this process calls ncclCommInitRank after what is local.
  static double initStart(double start) {
    return start + 0.7;
  }

  void write() {
    at = starts[place.rank()];
    process();
    at += 0.3;
    network();
    at = initStart(starts[place.rank()]);
    world();
    if (layout.split()) {
      at = connected + 0.4;
      split();
    }
    if (plan.version().lazyConnections()) {
      lazily(0);
      if (layout.split()) {
        lazily(1);
      }
    }
  }

  /// Connects at the first call on the communicator, which waits for it.
  private void lazily(int comm) {
    double first = timeline.firstCall(comm, place.rank());
    if (Double.isFinite(first)) {
      at = first + 0.00001;
      tick = 0.0000005;
      if (comm == 0) {
        edges();
      } else if (plan.schedule().split() == Schedule.Split.PODS) {
        podEdges();
      }
    }
  }

  /// Edges of a communicator of one pod's ranks, which have other numbers there.
  private void podEdges() {
    boolean own = place.initTid() == place.pid();
    int size = plan.gpusPerPod();
    if (size > 1) {
      int me = place.local();
      int next = (me + 1) % size;
      line(own, local(0, me, next));
      line(
          own,
          plan.version().ringsSayGdr()
              ? "Connected all rings, use ring PXN 0 GDR 1"
              : "Connected all rings");
    }
  }

  private void process() {
    var version = plan.version();
    var address = address();
    if (plan.torchLines()) {
      torch(
          "ProcessGroupNCCL.cpp:988",
          "ProcessGroupNCCL initialization options: size: %d, global rank: %d, TIMEOUT(ms): %d, USE_HIGH_PRIORITY_STREAM: 0, SPLIT_FROM: 0, SPLIT_COLOR: -2, PG Name: 0"
              .formatted(plan.ranks(), place.rank(), 600_000));
    }
    if (version.since(24)) {
      main("Bootstrap: Using eth0:" + address + "<0>");
    } else {
      main("Bootstrap : Using eth0:" + address + "<0>");
    }
    if (version.since(28)) {
      main("ENV/Plugin: Could not find: libnccl-env.so");
    }
    main("cudaDriverVersion 13000");
    if (version.versionOnEveryRank()) {
      main(version.line());
      if (version == NcclVersion.V2_30) {
        main("NCCL git version HEAD 5f2a9c1");
      }
    } else if (place.rank() == 0) {
      lines.add(new Line(tick(), place.pid(), Line.Kind.OTHER, version.line()));
    }
    if (version.since(21)) {
      main("Comm config Blocking set to 1");
    }
    if (plan.torchLines()) {
      double waited =
          place.rank() == 0 ? 0.00006 : Math.max(0, starts[0] - starts[place.rank()]) + 0.004;
      double now = at;
      at += waited;
      torch(
          "ProcessGroupNCCL.cpp:3146",
          "ProcessGroupNCCL broadcast unique ID through store took %s ms"
              .formatted(String.format(Locale.ROOT, "%.6g", waited * 1000)));
      at = now;
    }
  }

  private void network() {
    var version = plan.version();
    var fallback = plan.fault(Fault.EfaFallback.class).map(Fault.EfaFallback::cause).orElse(null);
    if (plan.machine().efa() == 0 || fallback == Cause.PLUGIN_MISSING) {
      noPlugin();
    } else {
      loadedPlugin();
      ofi(fallback);
    }
    if (!plan.libfabric()) {
      init("NET/IB : No device found.");
      if (version.since(24)) {
        init("NET/IB : Using [RO]; OOB eth0:" + address() + "<0>");
      }
      if (version.since(28)) {
        init("Failed to initialize NET plugin IB");
      }
      init("NET/Socket : Using [0]eth0:" + address() + "<0>");
    }
    if (version.since(27)) {
      init("Initialized NET plugin " + plan.network());
      init("Assigned NET plugin " + plan.network() + " to comm");
    }
    init("Using network " + plan.network());
    if (plan.libfabric()) {
      init("DMA-BUF is available on GPU device " + place.local());
    }
  }

  private void noPlugin() {
    switch (plan.version()) {
      case V2_19 ->
          init(
              "NET/Plugin : dlerror=libnccl-net.so: cannot open shared object file: No such file or directory No plugin found (libnccl-net.so), using internal implementation");
      case V2_21 -> {
        init("NET/Plugin: No plugin found (libnccl-net.so)");
        init(
            "NET/Plugin: Plugin load returned 2 : libnccl-net.so: cannot open shared object file: No such file or directory : when loading libnccl-net.so");
        init("NET/Plugin: Using internal network plugin.");
      }
      case V2_27 ->
          init("NET/Plugin: Could not find: libnccl-net.so. Using internal network plugin.");
      case V2_28, V2_29, V2_30 -> init("NET/Plugin: Could not find: libnccl-net.so");
    }
  }

  private void loadedPlugin() {
    var name = plan.version() == NcclVersion.V2_19 ? "AWS Libfabric" : "Libfabric";
    if (plan.version().since(28)) {
      init("NCCL_NET_PLUGIN set by environment to libnccl-net.so");
      init("NET/Plugin: Loaded net plugin " + name + " (v10)");
      init("Successfully loaded external network plugin libnccl-net.so");
      return;
    }
    init("NET/Plugin: Plugin name set by env to libnccl-net.so");
    init("NET/Plugin: Loaded net plugin " + name + (plan.version().since(27) ? " (v10)" : " (v7)"));
    for (int v = plan.version().since(27) ? 10 : 7; v >= 6; v--) {
      init("NET/Plugin: Failed to find ncclCollNetPlugin_v" + v + " symbol.");
    }
    if (plan.version().since(27)) {
      init("Successfully loaded external plugin libnccl-net.so");
    }
  }

  private void ofi(@Nullable Cause fallback) {
    var machine = plan.machine();
    boolean old = !plan.version().since(27);
    ofi("Initializing aws-ofi-nccl " + (old ? "1.7.4-aws" : "1.16.2"));
    ofi("Using Libfabric version " + (fallback == Cause.OLD_LIBFABRIC ? "1.18" : "2.1"));
    if (!old) {
      ofi("Using CUDA driver version 13000 with runtime 12090");
    }
    ofi("Configuring AWS-specific options");
    ofi("Setting provider_filter to efa");
    if (machine.gdr()) {
      var type = machine.instanceType();
      var file =
          "/opt/amazon/ofi-nccl/share/aws-ofi-nccl/xml/"
              + type.replace(".24xlarge", "-24xl").replace(".48xlarge", "-48xl")
              + "-topo.xml";
      ofi(
          old
              ? "Running on "
                  + type
                  + " platform, Setting NCCL_TOPO_FILE environment variable to "
                  + file
              : "Running on " + type + " platform, topology file " + file);
    }
    ofi("Internode latency set at 75.0 us");
    if (fallback != null) {
      failed(fallback);
      return;
    }
    ofi("Using transport protocol " + machine.transportProtocol() + (old ? "" : " (platform set)"));
    int nics = Math.max(1, machine.efa() / plan.podsPerNode());
    ofi(
        old
            ? "Selected Provider is efa (found " + nics + " nics)"
            : "Selected provider is efa, fabric is efa (found " + nics + " nics)");
    if (!old) {
      ofi("Creating one domain per process");
      ofi("Support for global registrations: false");
      ofi("Support for DMA-BUF registrations: false");
      ofi("Adding FI_EFA_FORK_SAFE=1 to environment");
      ofi("Adding NCCL_BUFFSIZE=8388608 to environment");
      ofi("Adding NCCL_P2P_NET_CHUNKSIZE=524288 to environment");
    }
  }

  private void failed(Cause cause) {
    switch (cause) {
      case NO_PROVIDER, PLUGIN_MISSING -> ofi("No eligible providers were found");
      case GDR_REFUSED -> {
        ofi("Could not disable CUDA API usage for HMEM, disabling GDR");
        warn(
            "int platform_init(const char**)",
            1_203,
            "GDR disabled on GDR-supported instance type " + plan.machine().instanceType());
      }
      case OLD_LIBFABRIC ->
          warn(
              "int platform_init(const char**)",
              1_127,
              "EFA provider requires at least libfabric version 1.22.0.");
    }
    if (cause == Cause.NO_PROVIDER) {
      warn(
          "int nccl_net_ofi_create_plugin(nccl_net_ofi_plugin_t**)",
          259,
          "Unable to find a protocol that worked.  Failing initialization.");
    }
    warn(
        "int nccl_net_ofi_create_plugin(nccl_net_ofi_plugin_t**)",
        352,
        "aws-ofi-nccl initialization failed");
    warn("ncclResult_t nccl_net_ofi_init_v6(ncclDebugLogger_t)", 166, "Initializing plugin failed");
    if (plan.version().since(28)) {
      init("Failed to initialize NET plugin Libfabric");
    }
  }

  private void world() {
    var version = plan.version();
    var what =
        "comm %s rank %d nranks %d cudaDev %d nvmlDev %d busId %s commId %s"
            .formatted(
                place.worldPointer(),
                place.rank(),
                plan.ranks(),
                place.local(),
                place.local(),
                bus(),
                layout.worldId());
    var api = version.api(version.since(23) ? "ncclCommInitRankConfig" : "ncclCommInitRank");
    init(rankTag() + api + what + " - Init START");
    at = connected + 0.01 * place.local() / 8;
    if (version.since(24)) {
      init("RAS client listening socket at 127.0.0.1<28028>");
    }
    bootstrap();
    topology();
    if (!version.lazyConnections()) {
      edges();
    }
    if (place.local() == 0 && version.since(27)) {
      init("TUNER/Plugin: Could not find: libnccl-tuner.so");
    }
    init("threadThresholds 8/8/64 | 64/8/64 | 512 | 512");
    int channels = layout.channels();
    init(
        version == NcclVersion.V2_19
            ? "%d coll channels, 0 nvls channels, %d p2p channels, 1 p2p channels per peer"
                .formatted(channels, channels)
            : "%d coll channels, %d collnet channels, 0 nvls channels, %d p2p channels, 1 p2p channels per peer"
                .formatted(channels, channels, channels));
    if (version.since(22)) {
      init("CC Off, workFifoBytes 1048576");
    }
    init(api + what + " - Init COMPLETE");
    if (version.since(23)) {
      double total = at - initStart(starts[place.rank()]) + 0.4;
      init(
          String.format(
              Locale.ROOT,
              "Init timings - ncclCommInitRankConfig: rank %d nranks %d total %.2f (kernels 0.34, alloc 0.37, bootstrap %.2f, allgathers 0.00, topo 0.05, graphs 0.00, connections 0.01, rest 0.00)",
              place.rank(),
              plan.ranks(),
              total,
              Math.max(0, total - 0.77)));
    }
  }

  /// Who waited for whom: see docs on `late-start`; NCCL 2.23.4 and later src/bootstrap.cc.
  private void bootstrap() {
    if (!plan.version().bootstrapTimings()) {
      return;
    }
    int rank = place.rank();
    int ranks = plan.ranks();
    double own = initStart(starts[rank]);
    double total = Math.max(0.001, connected - 0.02 - own);
    double next = initStart(starts[(rank + 1) % ranks]) - own;
    double previous = initStart(starts[(rank + ranks - 1) % ranks]) - own;
    double recv = Math.clamp(next, 0.0002, total);
    double rest = Math.clamp(previous - recv, 0, total - recv);
    double ring = Math.max(0.0001, total - recv - rest - 0.0003);
    init(
        String.format(
            Locale.ROOT,
            "Bootstrap timings total %f (create 0.000078, send 0.000189, recv %f, ring %f, delay 0.000001)",
            total,
            recv,
            ring));
  }

  private void topology() {
    var version = plan.version();
    init(
        version.since(28)
            ? "ncclTopoGetCpuAffinity: Affinity for GPU %d is 0-31. (GPU affinity = 0-31 ; CPU affinity = 0-127)."
                .formatted(place.local())
            : "Setting affinity for GPU %d to 0-31".formatted(place.local()));
    if (plan.has(Fault.P2pDisabled.class)) {
      init(
          version.since(23)
              ? "NCCL_P2P_DISABLE set by environment to 1"
              : "NCCL_P2P_LEVEL set by environment to LOC");
    }
    if (plan.has(Fault.P2pReadForced.class)) {
      init("NCCL_P2P_READ_ENABLE set by environment to 1.");
    }
    init(nodesLine(place.worldPointer(), place.rank(), plan.ranks()));
    if (place.rank() == 0) {
      for (int channel = 0; channel < layout.channels(); channel++) {
        init(ring(channel));
      }
    }
    int me = place.rank();
    init(
        "Trees [0] %d/-1/-1->%d->%d [1] %d/-1/-1->%d->%d"
            .formatted(
                me + 1 < plan.ranks() ? me + 1 : -1,
                me,
                me - 1,
                me + 1 < plan.ranks() ? me + 1 : -1,
                me,
                me - 1));
    init("P2P Chunksize set to " + (plan.pods() > 1 ? 131_072 : 524_288));
    if (version.since(23)) {
      init(
          version.since(28)
              ? "PROFILER/Plugin: Could not find: libnccl-profiler.so"
              : "PROFILER/Plugin: Could not find: libnccl-profiler.so. ");
    }
    int direct = p2p() && plan.gpusPerPod() > 1 ? 1 : 0;
    if (version.since(28)) {
      init(
          "Check P2P Type isAllDirectP2p %d directMode 0 isAllCudaP2p %d"
              .formatted(direct, direct));
    } else if (version.since(27) && place.rank() == 0) {
      init("Check P2P Type isAllDirectP2p %d directMode 0".formatted(direct));
    }
    if (version.since(23)) {
      init("[Proxy Service] Device %d CPU core %d".formatted(place.local(), 8 + place.local()));
      init(
          "[Proxy Service UDS] Device %d CPU core %d".formatted(place.local(), 40 + place.local()));
    }
  }

  private String nodesLine(String pointer, int rank, int ranks) {
    return "comm %s rank %d nRanks %d nNodes %d localRanks %d localRank %d MNNVL 0"
        .formatted(pointer, rank, ranks, plan.pods(), plan.gpusPerPod(), place.local());
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

  private void split() {
    var version = plan.version();
    int rank = layout.rankInSplit(place.rank());
    int ranks = layout.splitSize(place.rank());
    if (version.since(27)) {
      main("Assigned NET plugin " + plan.network() + " to comm");
    }
    init("Using network " + plan.network());
    var who =
        "comm %s rank %d nranks %d cudaDev %d nvmlDev %d busId %s"
            .formatted(place.splitPointer(), rank, ranks, place.local(), place.local(), bus());
    int color = 2_003_953_581 % 1_000_000 + layout.group(place.rank());
    String of;
    if (version.splitsWithoutId()) {
      of =
          " parent %s %s 1 color %d key %d"
              .formatted(
                  place.worldPointer(),
                  version.since(29) ? "childCount" : "splitCount",
                  color,
                  place.rank());
    } else if (version.since(21)) {
      of =
          " parent %s color %d key %d commId %s"
              .formatted(place.worldPointer(), color, place.rank(), layout.splitId(place.rank()));
    } else {
      of = " commId " + layout.splitId(place.rank());
    }
    var gap = version.splitsWithoutId() && !version.since(29) ? "- " : " - ";
    init(version.api("ncclCommSplit") + who + of + gap + "Init START");
    boolean byPod = plan.schedule().split() == Schedule.Split.PODS;
    init(
        "comm %s rank %d nRanks %d nNodes %d localRanks %d localRank %d MNNVL 0"
            .formatted(
                place.splitPointer(),
                rank,
                ranks,
                byPod ? 1 : plan.pods(),
                plan.gpusPerPod(),
                place.local()));
    at += 0.02;
    init(version.api("ncclCommSplit") + who + of + " - Init COMPLETE");
  }

  /// Connections are made by the communicator's first collectives.
  private void edges() {
    if (plan.pods() > 1 && plan.version().since(23)) {
      main("[Proxy Progress] Device %d CPU core %d".formatted(place.local(), 13));
    }
    boolean own = place.initTid() == place.pid();
    for (int channel = 0; channel < layout.channels(); channel++) {
      int next = layout.next(place.rank(), channel);
      int previous = layout.previous(place.rank(), channel);
      if (previous != place.rank() && !layout.samePod(previous, place.rank())) {
        line(own, net(channel, previous, place.rank(), "receive"));
      }
      if (next != place.rank()) {
        line(
            own,
            layout.samePod(place.rank(), next)
                ? local(channel, place.rank(), next)
                : net(channel, place.rank(), next, "send"));
      }
    }
    boolean gdr = plan.machine().gdr() && plan.libfabric() && !plan.has(Fault.GdrLost.class);
    line(
        own,
        plan.version().ringsSayGdr()
            ? "Connected all rings, use ring PXN 0 GDR " + (gdr || plan.pods() == 1 ? 1 : 0)
            : "Connected all rings");
    line(own, "Connected all trees");
  }

  private String local(int channel, int from, int to) {
    var ends = "%d[%d] -> %d[%d]".formatted(from, dev(from), to, dev(to));
    if (!p2p()) {
      return "Channel %02d : %s via %s".formatted(channel, ends, plan.version().shm());
    }
    boolean read = plan.has(Fault.P2pReadForced.class) || plan.machine().readsByPolicy();
    return "Channel %02d/0 : %s via P2P/%s%s"
        .formatted(channel, ends, plan.version().p2pKind(), read ? "/read" : "");
  }

  private String net(int channel, int from, int to, String direction) {
    int lost = plan.fault(Fault.GdrLost.class).map(Fault.GdrLost::rank).orElse(-1);
    boolean gdr = plan.libfabric() && plan.machine().gdr() && place.rank() != lost;
    int device = plan.libfabric() ? place.gpu() % Math.max(1, plan.machine().efa()) : 0;
    return "Channel %02d/0 : %d[%d] -> %d[%d] [%s] via NET/%s/%d%s"
        .formatted(
            channel,
            from,
            dev(from),
            to,
            dev(to),
            direction,
            plan.network(),
            device,
            gdr ? "/GDRDMA" : "");
  }

  private boolean p2p() {
    return plan.machine().p2p() && !plan.has(Fault.P2pDisabled.class);
  }

  private int dev(int rank) {
    return layout.place(rank).local();
  }

  private String bus() {
    return plan.machine().packedBusId(place.gpu());
  }

  private String address() {
    return "10.%d.%d.%d"
        .formatted(4 + place.pod() / 62_500, place.pod() / 250 % 250, 4 + place.pod() % 250);
  }

  private String rankTag() {
    return plan.version().since(29) ? "[Rank " + place.rank() + "] " : "";
  }

  private void ofi(String message) {
    init("NET/OFI " + message);
  }

  private void warn(String function, int sourceLine, String message) {
    lines.add(
        new Line(
            tick(),
            place.pid(),
            Line.Kind.NCCL_WARN,
            "%s:%d:%d [%d] %s:%d NCCL WARN NET/OFI %s"
                .formatted(
                    place.host(),
                    place.pid(),
                    place.initTid(),
                    place.local(),
                    function,
                    sourceLine,
                    message)));
  }

  private void main(String message) {
    line(true, message);
  }

  private void init(String message) {
    line(false, message);
  }

  private void line(boolean ofMain, String message) {
    lines.add(
        new Line(
            tick(),
            place.pid(),
            Line.Kind.NCCL,
            "%s:%d:%d [%d] NCCL INFO %s"
                .formatted(
                    place.host(),
                    place.pid(),
                    ofMain ? place.pid() : place.initTid(),
                    place.local(),
                    message)));
  }

  private void torch(String where, String message) {
    lines.add(
        new Line(
            tick(),
            place.pid(),
            Line.Kind.OTHER,
            "[I1120 20:30:17.518015806 %s] [PG ID 0 PG GUID 0(default_pg) Rank %d] %s"
                .formatted(where, place.rank(), message)));
  }

  private double tick() {
    return at += tick;
  }
}
