package io.ringside.streams.job;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.NcclHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Paths from each GPU of a process's machine, as NCCL sees them (GRAPH). They come in lines of
/// their own, or in the machine's topology tree, branch by branch.
public final class MachinePaths {
  private static final int MAX_GPUS = 64;
  private static final int MAX_SLOTS = 128;

  private final Map<String, Ways> byBusId = new TreeMap<>();
  private final Map<String, Slot> slots = new TreeMap<>();

  /// The GPU in the tree whose branches come next, by the device whose process prints them.
  private final Map<Integer, String> branching = new TreeMap<>();

  MachinePaths() {}

  /// The paths that NCCL sees from one GPU.
  ///
  /// @param ofTree whether only the topology tree shows them: the GPU's NVLinks, and nothing beyond
  public record Ways(NcclEvent.GpuPaths paths, Evidence proof, boolean ofTree) {
    private boolean leadsTo(String end) {
      return paths.paths().stream().anyMatch(path -> path.to().equals(end));
    }
  }

  /// PCIe link of a GPU or a network card in the topology tree, in GB/s. NCCL takes it from the
  /// most that device and slot support (src/graph/xml.cc, `max_link_speed`).
  public record Slot(double bwGBps, Evidence proof) {}

  void add(NcclEvent.GpuPaths paths, Evidence line) {
    var known = byBusId.get(paths.busId());
    if (known == null && byBusId.size() < MAX_GPUS || known != null && known.ofTree()) {
      byBusId.put(paths.busId(), new Ways(paths, line, false));
    }
  }

  void add(NcclEvent.TopologyBranch branch, Evidence line) {
    int device = NcclHead.device(line.text()).orElse(-1);
    if (!branch.nvlink()) {
      if (slots.size() < MAX_SLOTS) {
        slots.putIfAbsent(branch.to(), new Slot(branch.bwGBps(), line));
      }
      if (branch.to().startsWith("NIC/")) {
        branching.remove(device);
      } else if (branching.size() < MAX_GPUS || branching.containsKey(device)) {
        branching.put(device, branch.to());
      }
      return;
    }
    var gpu = branching.get(device);
    var known = gpu == null ? null : byBusId.get(gpu);
    if (gpu == null
        || known == null && byBusId.size() >= MAX_GPUS
        || known != null && (!known.ofTree() || known.leadsTo(branch.to()))) {
      return;
    }
    var paths =
        new ArrayList<NcclEvent.GraphPath>(known == null ? List.of() : known.paths().paths());
    paths.add(new NcclEvent.GraphPath(branch.to(), 1, branch.bwGBps(), "NVL"));
    byBusId.put(
        gpu,
        new Ways(new NcclEvent.GpuPaths(gpu, paths), known == null ? line : known.proof(), true));
  }

  Map<String, Ways> byBusId() {
    return byBusId;
  }

  Map<String, Slot> slots() {
    return slots;
  }
}
