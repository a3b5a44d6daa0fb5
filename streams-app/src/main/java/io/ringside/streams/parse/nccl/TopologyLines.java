package io.ringside.streams.parse.nccl;

import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.scan.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// NCCL's view of the machine: graphs, channel counts, P2P and NVLS support, CPU affinity
/// (src/graph, src/init.cc, src/proxy.cc).
final class TopologyLines {

  private TopologyLines() {}

  static final List<Shape<NcclMessage>> SHAPES =
      List.of(
          Shape.of("# coll channels, *", "2.8+", TopologyLines::channels),
          Shape.of("Pattern #, *", "2.5+, GRAPH", TopologyLines::pattern),
          Shape.ignored("P2P Chunksize set to #", "2.16.2+"),
          Shape.of("Check P2P Type *", "2.24.3+", TopologyLines::p2pCheck),
          Shape.of(
              "P2P is disabled between connected GPUs # and #*",
              "2.12.7+",
              m -> m.emit(new NcclEvent.P2pUnavailable())),
          Shape.of(
              "Could not enable P2P between dev #(=*) and dev #(=*",
              "2.6.4+",
              m -> m.emit(new NcclEvent.P2pUnavailable())),
          Shape.behind("NVLS multicast support is *", "2.17+", TopologyLines::nvls),
          Shape.of(
              "Failed to bind NVLink SHARP (NVLS) Multicast memory *Proceeding without NVLS support*",
              "2.27.3 to 2.28.9",
              m -> m.emit(new NcclEvent.NvlsSupport(NcclEvent.Nvls.LOST))),
          Shape.ignored("[Proxy Service] Device # CPU core #", "2.23.4+"),
          Shape.ignored("[Proxy Service UDS] Device # CPU core #", "2.23.4+"),
          Shape.ignored("[Proxy Progress] Device # CPU core #", "2.23.4+"),
          Shape.ignored("Setting affinity for GPU # to *", "to 2.27.7"),
          Shape.ignored("ncclTopoGetCpuAffinity: Affinity for GPU # is *", "2.28.3+"),
          Shape.ignored("Trees *", "2.6+"),
          Shape.ignored("NVLS Head #:*", "2.18+"),
          Shape.ignored("Tree # : *", "2.4+, GRAPH"),
          Shape.ignored("threadThresholds *", "2.5+"),
          // the known line "CC *, workFifoBytes #" covers these too, but needs a search of the line
          Shape.ignored("CC Off, workFifoBytes #", "2.24.3+"),
          Shape.ignored("CC On, workFifoBytes #", "2.24.3+"),
          Shape.ignored("=*", "GRAPH"),
          Shape.of("+ *[*] - *", "2.5+, GRAPH", TopologyLines::branch),
          Shape.ignored("# : GPU/*", "GRAPH"),
          Shape.ignored("# : NET/*", "GRAPH"),
          Shape.ignored("# : *", "GRAPH"),
          Shape.of("GPU/*", "2.5+, GRAPH", TopologyLines::paths),
          Shape.ignored("CPU/*", "GRAPH"),
          Shape.ignored("NET/#*", "GRAPH"),
          Shape.ignored("NIC/*", "GRAPH"),
          Shape.ignored("NVS/*", "GRAPH"),
          Shape.ignored("PCI/*", "GRAPH"),
          Shape.ignored("GIN/#*", "GRAPH"),
          Shape.ignored("Topology detection*", "GRAPH"),
          Shape.ignored("ncclTopoPopulateNics : *", "2.24+"),
          Shape.ignored("ncclTopo*", "GRAPH"),
          Shape.ignored("TOPO/NET : *", "2.24+"),
          Shape.ignored("dlvsym failed on *", "2.26+"),
          Shape.ignored("Algorithm *|*", "TUNING"),
          Shape.ignored("Protocol *|*", "TUNING"),
          Shape.ignored("Max NThreads *|*", "TUNING"),
          Shape.ignored("Broadcast *|*", "TUNING"),
          Shape.ignored("Reduce *|*", "TUNING"),
          Shape.ignored("AllGather *|*", "TUNING"),
          Shape.ignored("ReduceScatter *|*", "TUNING"),
          Shape.ignored("AllReduce *|*", "TUNING"),
          Shape.ignored("Enabled NCCL Func/Proto/Algo Matrix:*", "2.24.3+"));

  /// `24 coll channels, 24 collnet channels, 0 nvls channels, 32 p2p channels, 32 p2p channels per
  /// peer`, with fewer parts before 2.20.
  private static boolean channels(NcclMessage message) {
    var coll = message.integer();
    message.expect(" coll channels");
    var nvls = -1;
    while (message.skip(", ")) {
      var count = message.integer();
      if (message.skip(" nvls channels")) {
        nvls = count;
      } else if (!message.skip(" collnet channels") && !message.skip(" p2p channels per peer")) {
        message.expect(" p2p channels");
      }
    }
    return message.done() && message.emit(new NcclEvent.Channels(coll, nvls));
  }

  /// `Pattern 4, crossNic 0, nChannels 2, bw 20.0/20.0, type PHB/PIX, sameChannels 1`; `speed`
  /// before 2.15.
  private static boolean pattern(NcclMessage message) {
    var pattern = message.expect("Pattern ").integer();
    var channels = message.seek(", nChannels ").integer();
    if (!message.skip(", bw ")) {
      message.expect(", speed ");
    }
    var intra = message.decimal();
    var typeIntra = message.seek(", type ").until('/');
    return message.good()
        && message.emit(new NcclEvent.GraphPattern(pattern, channels, intra, typeIntra));
  }

  /// `GPU/0-17000 :GPU/0-17000 (0/5000.0/LOC) GPU/0-65000 (1/240.0/NVL) CPU/0-0 (1/24.0/PHB)`;
  /// other lines that begin with a GPU are of no use.
  private static boolean paths(NcclMessage message) {
    var gpu = gpu(message);
    if (gpu == null || !message.skip(" :")) {
      return true;
    }
    var paths = new ArrayList<NcclEvent.GraphPath>();
    while (message.blanks().good() && !message.atEnd()) {
      var isGpu = message.peek() == 'G';
      var busId = isGpu ? gpu(message) : null;
      var to = busId == null ? message.until('/') : busId;
      if (busId == null) {
        message.until(' ');
      }
      var hops = message.blanks().expect("(").integer();
      var bw = message.expect("/").decimal();
      var type = message.expect("/").until(')');
      message.skip(')');
      if (message.bad()) {
        break; // cut by NCCL
      }
      paths.add(new NcclEvent.GraphPath(to, hops, bw, type));
    }
    return paths.isEmpty() || message.emit(new NcclEvent.GpuPaths(gpu, paths));
  }

  /// `+ PCI[24.0] - GPU/0-17000 (0)`, and after it `+ NVL[240.0] - NVS/0-0` or
  /// `+ NVL[40.0] - GPU/0-65000`; `+ PCI[24.0] - NIC/0-18000`. Other branches of the machine's tree
  /// are of no use.
  private static boolean branch(NcclMessage message) {
    var nvlink = message.blanks().expect("+ ").until('[').equals("NVL");
    message.skip('[');
    var bw = message.decimal();
    message.expect("] - ");
    if (message.bad()) {
      return true;
    }
    if (message.peek() == 'N' && !nvlink && message.skip("NIC/")) {
      return message.emit(new NcclEvent.TopologyBranch(false, bw, "NIC/" + message.rest()));
    }
    var gpu = message.peek() == 'G' ? gpu(message) : null;
    if (gpu == null && !(nvlink && message.skip("NVS/"))) {
      return true;
    }
    return message.emit(new NcclEvent.TopologyBranch(nvlink, bw, gpu == null ? "NVS" : gpu));
  }

  /// `GPU/0-17000`, before 2.19 `GPU/17000`; null if the text is no GPU.
  private static @Nullable String gpu(NcclMessage message) {
    if (!message.skip("GPU/")) {
      return null;
    }
    var first = message.hex();
    var packed = message.skip('-') ? message.hex() : first;
    return message.good() ? NcclEvent.busId(packed) : null;
  }

  /// `isAllDirectP2p 0 directMode 0[ isAllCudaP2p 1]`, 2.24.3 to 2.26.6
  /// `intraNodeP2pSupport 1 directMode 0`.
  private static boolean p2pCheck(NcclMessage message) {
    message.expect("Check P2P Type ");
    if (!message.skip("isAllDirectP2p ")) {
      message.expect("intraNodeP2pSupport ");
    }
    message.integer();
    message.expect(" directMode ").integer();
    return message.good() && message.emit(new NcclEvent.P2pCheck());
  }

  private static boolean nvls(NcclMessage message) {
    var state = message.skip("not ") ? NcclEvent.Nvls.MISSING : NcclEvent.Nvls.AVAILABLE;
    message.expect("available");
    return message.good() && message.emit(new NcclEvent.NvlsSupport(state));
  }
}
