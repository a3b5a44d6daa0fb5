package io.ringside.streams.job;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.NcclHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The ways from each GPU of a process's machine, as NCCL sees them (GRAPH): told by lines of their
/// own, or by the machine's tree, which comes branch by branch.
public final class MachineWays {
  private static final int MAX_GPUS = 64;
  private static final int MAX_SLOTS = 128;

  private final Map<String, Ways> byBusId = new TreeMap<>();
  private final Map<String, Slot> slots = new TreeMap<>();

  /// The GPU in the tree whose branches come next, by the device that prints.
  private final Map<Integer, String> branching = new TreeMap<>();

  MachineWays() {}

  /// What NCCL takes the ways from one GPU to be.
  ///
  /// @param ofTree whether the machine's tree alone tells them: its NVLinks, and nothing behind
  ///   them
  public record Ways(NcclEvent.GpuPaths paths, Evidence proof, boolean ofTree) {
    private boolean leadsTo(String end) {
      return paths.paths().stream().anyMatch(path -> path.to().equals(end));
    }
  }

  /// What a GPU or a network card hangs on by the machine's tree: GB/s of its PCIe link, which NCCL
  /// takes from the most that device and slot support (src/graph/xml.cc, `max_link_speed`).
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
