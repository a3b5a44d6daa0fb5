package io.ringside.lab.simulate;

import io.ringside.lab.simulate.Layout.Place;
import io.ringside.lab.simulate.NetworkFault.EfaFallback.Cause;
import io.ringside.lab.simulate.ProcessFault.VersionMismatch;
import io.ringside.lab.simulate.ProcessFault.VersionMismatch.Library;
import org.jspecify.annotations.Nullable;

/// How a rank chooses its network: the search for a plugin, what aws-ofi-nccl says of itself, and
/// what NCCL falls back to.
final class PluginLines {
  private final JobPlan plan;
  private final Place place;
  private final String address;
  private final RankLineWriter pen;

  PluginLines(JobPlan plan, Place place, String address, RankLineWriter pen) {
    this.plan = plan;
    this.place = place;
    this.address = address;
    this.pen = pen;
  }

  void write() {
    var fabric = plan.machine().fabric();
    var fallback =
        plan.fault(NetworkFault.EfaFallback.class)
            .map(NetworkFault.EfaFallback::cause)
            .orElse(null);
    var network = plan.network(place.node());
    boolean out = plan.rdma() && network.equals("Socket");
    switch (fabric) {
      case ETHERNET -> missing();
      case INFINIBAND, ROCE -> missing();
      case EFA -> efa(out ? Cause.NO_PROVIDER : fallback);
      case GIB, FASTRAK -> google(fabric, network.equals("Socket"));
    }
    if (network.equals("Socket")) {
      sockets();
    } else if (fabric.internal()) {
      infiniband();
    }
    if (plan.version().since(27)) {
      pen.init("Initialized NET plugin " + network);
      pen.init("Assigned NET plugin " + network + " to comm");
    }
    pen.init("Using network " + network);
    if (network.equals(fabric.network(plan.version()))
        && fabric != Fabric.ETHERNET
        && !plan.machine().amd()
        && plan.version().since(13)) {
      pen.init("DMA-BUF is available on GPU device " + place.local());
    }
  }

  private void efa(@Nullable Cause fallback) {
    if (fallback == Cause.PLUGIN_MISSING) {
      missing();
      return;
    }
    loaded();
    if (plan.version().since(13)) {
      ofi(fallback);
    } else {
      firstOfi();
    }
  }

  /// Google's plugins, in the words of public logs of GKE.
  private void google(Fabric fabric, boolean failed) {
    var name = fabric.network(plan.version());
    if (plan.version().since(28)) {
      pen.init("NCCL_NET_PLUGIN set by environment to libnccl-net.so");
      pen.init("NET/Plugin: Loaded net plugin " + name + " (v9)");
      pen.init("Successfully loaded external network plugin libnccl-net.so");
    } else {
      pen.init("NET/Plugin: Loaded net plugin " + name + " (v9)");
    }
    if (failed) {
      pen.init("NET/" + name + " : No device found.");
      return;
    }
    pen.init(
        fabric == Fabric.GIB
            ? "NET/gIB : Initializing gIB v1.0.6"
            : "NET/FasTrak plugin initialized.");
    if (fabric == Fabric.GIB) {
      pen.init("NET/gIB : Using" + devices("RoCE") + " [RO]; OOB eth0:" + address + "<0>");
    }
  }

  private void infiniband() {
    pen.init(
        "NET/IB : Using"
            + devices(plan.machine().fabric() == Fabric.ROCE ? "RoCE" : "IB")
            + (plan.version().since(12) ? " [RO]; OOB eth0:" : " ; OOB eth0:")
            + address
            + "<0>");
  }

  private String devices(String link) {
    var devices = new StringBuilder();
    for (int nic = 0; nic < plan.machine().nics(); nic++) {
      devices.append(" [%d]mlx5_%d:1%s/%s".formatted(nic, nic, rail(nic), link));
    }
    return devices.toString();
  }

  private String rail(int nic) {
    return plan.version().since(30) ? ":%d:0".formatted(nic) : "";
  }

  private void sockets() {
    var version = plan.version();
    pen.init("NET/IB : No device found.");
    if (version.since(24)) {
      pen.init("NET/IB : Using [RO]; OOB eth0:" + address + "<0>");
    }
    if (version.since(28)) {
      pen.init("Failed to initialize NET plugin IB");
    }
    pen.init("NET/Socket : Using [0]eth0:" + address + "<0>");
  }

  private void missing() {
    switch (plan.version()) {
      case V2_10, V2_11, V2_12, V2_13, V2_14, V2_15, V2_16, V2_17, V2_18 ->
          pen.init("NET/Plugin : No plugin found (libnccl-net.so), using internal implementation");
      case V2_19, V2_20 ->
          pen.init(
              "NET/Plugin : dlerror=libnccl-net.so: cannot open shared object file: No such file or directory No plugin found (libnccl-net.so), using internal implementation");
      case V2_21 -> {
        pen.init("NET/Plugin: No plugin found (libnccl-net.so)");
        pen.init(
            "NET/Plugin: Plugin load returned 2 : libnccl-net.so: cannot open shared object file: No such file or directory : when loading libnccl-net.so");
        pen.init("NET/Plugin: Using internal network plugin.");
      }
      case V2_22, V2_23, V2_24, V2_25, V2_26, V2_27 ->
          pen.init("NET/Plugin: Could not find: libnccl-net.so. Using internal network plugin.");
      case V2_28, V2_29, V2_30 -> pen.init("NET/Plugin: Could not find: libnccl-net.so");
    }
  }

  private void loaded() {
    var version = plan.version();
    if (!version.since(13)) {
      return;
    }
    var name = version.libfabricName();
    if (version.since(28)) {
      pen.init("NCCL_NET_PLUGIN set by environment to libnccl-net.so");
      pen.init("NET/Plugin: Loaded net plugin " + name + " (v10)");
      pen.init("Successfully loaded external network plugin libnccl-net.so");
      return;
    }
    int newest = version.since(27) ? 10 : version.since(19) ? 7 : 6;
    pen.init("NET/Plugin: Plugin name set by env to libnccl-net.so");
    pen.init("NET/Plugin: Loaded net plugin %s (v%d)".formatted(name, newest));
    for (int v = newest; v >= 6; v--) {
      pen.init("NET/Plugin: Failed to find ncclCollNetPlugin_v" + v + " symbol.");
    }
    if (version.since(27)) {
      pen.init("Successfully loaded external plugin libnccl-net.so");
    }
  }

  /// Plugin 1.1, as with NCCL 2.8: see the parser's fixture.
  private void firstOfi() {
    pen.ofi("Using aws-ofi-nccl " + (odd(Library.PLUGIN) ? "1.1.3" : "1.1.4"));
    pen.ofi(
        "Running on P4d platform, Setting NCCL_TOPO_FILE environment variable to /usr/local/share/aws-ofi-nccl/xml/p4d-24xl-topo.xml");
    pen.ofi("Setting RDMAV_FORK_SAFE environment variable to 1.");
    pen.ofi("Selected Provider is efa");
  }

  private boolean odd(Library library) {
    return plan.fault(VersionMismatch.class)
        .map(fault -> fault.library() == library && fault.node() == place.node())
        .orElse(false);
  }

  private void ofi(@Nullable Cause fallback) {
    var machine = plan.machine();
    boolean old = !plan.version().since(27);
    boolean other = odd(Library.PLUGIN);
    pen.ofi(
        "Initializing aws-ofi-nccl "
            + (old ? (other ? "1.7.3-aws" : "1.7.4-aws") : other ? "1.14.2" : "1.16.2"));
    pen.ofi(
        "Using Libfabric version "
            + (fallback == Cause.OLD_LIBFABRIC ? "1.18" : odd(Library.LIBFABRIC) ? "1.22" : "2.1"));
    if (!old) {
      pen.ofi("Using CUDA driver version 13000 with runtime 12090");
    }
    pen.ofi("Configuring AWS-specific options");
    pen.ofi("Setting provider_filter to efa");
    if (machine.gdr()) {
      platform(old);
    }
    pen.ofi("Internode latency set at 75.0 us");
    if (fallback != null) {
      failed(fallback);
      return;
    }
    pen.ofi(
        "Using transport protocol " + machine.transportProtocol() + (old ? "" : " (platform set)"));
    pen.ofi(
        old
            ? "Selected Provider is efa (found " + nics() + " nics)"
            : "Selected provider is efa, fabric is efa (found " + nics() + " nics)");
    if (!old) {
      pen.ofi("Creating one domain per process");
      pen.ofi("Support for global registrations: false");
      pen.ofi("Support for DMA-BUF registrations: false");
      pen.ofi("Adding FI_EFA_FORK_SAFE=1 to environment");
      pen.ofi("Adding NCCL_BUFFSIZE=8388608 to environment");
      pen.ofi("Adding NCCL_P2P_NET_CHUNKSIZE=524288 to environment");
    }
  }

  private int nics() {
    return plan.fault(NetworkFault.NicShortfall.class)
        .filter(fault -> fault.pod() == place.pod())
        .map(NetworkFault.NicShortfall::nics)
        .orElse(Math.max(1, plan.machine().nics() / plan.podsPerNode()));
  }

  private void platform(boolean old) {
    var type = plan.machine().instanceType();
    var file =
        "/opt/amazon/ofi-nccl/share/aws-ofi-nccl/xml/"
            + type.replace(".24xlarge", "-24xl").replace(".48xlarge", "-48xl")
            + "-topo.xml";
    pen.ofi(
        old
            ? "Running on "
                + type
                + " platform, Setting NCCL_TOPO_FILE environment variable to "
                + file
            : "Running on " + type + " platform, topology file " + file);
  }

  private void failed(Cause cause) {
    switch (cause) {
      case NO_PROVIDER, PLUGIN_MISSING -> pen.ofi("No eligible providers were found");
      case GDR_REFUSED -> {
        pen.ofi("Could not disable CUDA API usage for HMEM, disabling GDR");
        pen.ofiWarn(
            "int platform_init(const char**):1203",
            "GDR disabled on GDR-supported instance type " + plan.machine().instanceType());
      }
      case OLD_LIBFABRIC ->
          pen.ofiWarn(
              "int platform_init(const char**):1127",
              "EFA provider requires at least libfabric version 1.22.0.");
    }
    if (cause == Cause.NO_PROVIDER) {
      pen.ofiWarn(
          "int nccl_net_ofi_create_plugin(nccl_net_ofi_plugin_t**):259",
          "Unable to find a protocol that worked.  Failing initialization.");
    }
    pen.ofiWarn(
        "int nccl_net_ofi_create_plugin(nccl_net_ofi_plugin_t**):352",
        "aws-ofi-nccl initialization failed");
    pen.ofiWarn(
        "ncclResult_t nccl_net_ofi_init_v6(ncclDebugLogger_t):166", "Initializing plugin failed");
    if (plan.version().since(28)) {
      pen.init("Failed to initialize NET plugin Libfabric");
    }
  }
}
