package io.ringside.streams.detect.link;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.examine.HostLinks;
import io.ringside.streams.expect.InstanceType;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.ledger.LinkLoss;
import io.ringside.streams.parse.event.NcclEvent.GraphPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The paths between the GPUs of one machine, from one process's GRAPH lines.
///
/// Pairs of one machine may differ by design: in the V100's hybrid mesh some have two links and
/// others one, and bridges join two cards each. So a pair is compared with itself in the other
/// direction. A GPU with all its links is compared with the others of its machine only if all
/// should be alike: they share a switch, or each has the same number of direct peers.
///
/// @param ways NVLink paths with their bandwidth in GB/s, by both PCI bus ids
/// @param toSwitch GB/s of each GPU's links to the machine's NVSwitches, if the printed tree of the
///   machine shows them
record GpuLinks(
    Map<String, Map<String, GraphPath>> ways,
    Map<String, Double> toSwitch,
    TrainingProcess process) {
  private static final double SHARE = LinkLoss.SHARE;

  /// NCCL counts 20.0, 20.6 and 40.1 GB/s per link (src/graph/topo.h, from SM80, SM90, SM100 on)
  /// where data sheets say 25 and 50.
  private static final double NCCL_OF_DATA_SHEET = 0.8;

  private static final int LEAST_ALIKE = 3;
  private static final int LEAST_SLOTS = 4;

  static GpuLinks of(TrainingProcess process) {
    Map<String, Map<String, GraphPath>> ways = new TreeMap<>();
    Map<String, Double> toSwitch = new TreeMap<>();
    process
        .ways()
        .forEach(
            (gpu, seen) -> {
              var row = new TreeMap<String, GraphPath>();
              for (var path : seen.paths().paths()) {
                if (path.to().equals("NVS") && seen.ofTree()) {
                  toSwitch.merge(gpu, path.bwGBps(), Double::sum);
                }
                // other GPUs have PCI bus ids, the switch has a name
                if (path.type().equals("NVL")
                    && path.to().indexOf(':') > 0
                    && !path.to().equals(gpu)) {
                  row.putIfAbsent(path.to(), path);
                }
              }
              ways.put(gpu, row);
            });
    return new GpuLinks(ways, toSwitch, process);
  }

  /// @param type the machine's type, if known
  List<WeakLink> weak(Optional<InstanceType> type) {
    var found = new ArrayList<WeakLink>();
    oneWay(found);
    if (found.isEmpty()) {
      amongPeers(found);
    }
    if (found.isEmpty()) {
      onePair(found);
    }
    if (found.isEmpty()) {
      type.ifPresent(machine -> ofMachine(machine, found));
    }
    slots(found);
    return found;
  }

  /// Pairs whose two directions differ, although each link works both ways.
  private void oneWay(List<WeakLink> found) {
    ways.forEach(
        (from, row) ->
            row.forEach(
                (to, path) -> {
                  var back = ways.getOrDefault(to, Map.of()).get(from);
                  if (back != null && path.bwGBps() < SHARE * back.bwGBps()) {
                    found.add(
                        new WeakLink(
                            from + ">" + to,
                            Set.of(from, to),
                            "NVLink carries %.0f GB/s from GPU %s to GPU %s, and %.0f GB/s back"
                                .formatted(path.bwGBps(), from, to, back.bwGBps()),
                            "%.0f GB/s in both directions".formatted(back.bwGBps()),
                            "%.0f GB/s in one".formatted(path.bwGBps()),
                            "NVLinks that are down or did not train",
                            "nvidia-smi nvlink --status",
                            proofs(from, to)));
                  }
                }));
  }

  private void amongPeers(List<WeakLink> found) {
    var widths = widths();
    if (widths.size() < LEAST_ALIKE) {
      return;
    }
    double usual = median(widths);
    var weak = widths.entrySet().stream().filter(e -> e.getValue() < SHARE * usual).toList();
    if (2 * weak.size() >= widths.size()) {
      return;
    }
    for (var gpu : weak) {
      found.add(
          narrow(
              gpu.getKey(),
              gpu.getValue(),
              usual,
              "%.0f GB/s, as its peers have".formatted(usual)));
    }
  }

  /// The only pair of four or more GPUs with less bandwidth than all others, which are equal. No
  /// machine is built like that.
  private void onePair(List<WeakLink> found) {
    if (!linked(ways.size() - 1)) {
      return;
    }
    Map<String, Double> pairs = new TreeMap<>();
    ways.forEach(
        (from, row) ->
            row.forEach(
                (to, path) -> {
                  if (from.compareTo(to) < 0) {
                    pairs.put(from + " " + to, path.bwGBps());
                  }
                }));
    var widths = pairs.values().stream().distinct().sorted().toList();
    if (widths.size() != 2 || widths.getFirst() >= SHARE * widths.getLast()) {
      return;
    }
    var weak =
        pairs.entrySet().stream().filter(e -> e.getValue().equals(widths.getFirst())).toList();
    if (weak.size() != 1) {
      return;
    }
    var ends = weak.getFirst().getKey().split(" ");
    found.add(
        new WeakLink(
            weak.getFirst().getKey(),
            Set.of(ends),
            "NVLink carries %.0f GB/s between GPU %s and GPU %s, and %.0f between all others"
                .formatted(widths.getFirst(), ends[0], ends[1], widths.getLast()),
            "%.0f GB/s, as all other pairs have".formatted(widths.getLast()),
            "%.0f GB/s".formatted(widths.getFirst()),
            "NVLinks that are down or did not train",
            "nvidia-smi nvlink --status",
            proofs(ends)));
  }

  private void ofMachine(InstanceType machine, List<WeakLink> found) {
    double whole = NCCL_OF_DATA_SHEET * machine.nvlinkGBps();
    switched()
        .forEach(
            (gpu, width) -> {
              if (width < SHARE * whole) {
                found.add(
                    narrow(gpu, width, whole, "%.0f GB/s, by the machine's type".formatted(whole)));
              }
            });
  }

  private WeakLink narrow(String gpu, double width, double usual, String expected) {
    return new WeakLink(
        gpu,
        Set.of(gpu),
        "NVLink of GPU %s carries %.0f of %.0f GB/s".formatted(gpu, width, usual),
        expected,
        "%.0f GB/s".formatted(width),
        "NVLinks that are down or did not train",
        "nvidia-smi nvlink --status",
        proofs(gpu));
  }

  /// Bandwidth of all NVLinks of each GPU together, if the GPUs should be alike; else empty.
  private Map<String, Double> widths() {
    var switched = switched();
    if (!switched.isEmpty()) {
      return switched;
    }
    if (!linked(ways.size() - 1) && !linked(1)) {
      return Map.of();
    }
    Map<String, Double> sums = new TreeMap<>();
    ways.forEach((gpu, row) -> sums.put(gpu, direct(row).mapToDouble(GraphPath::bwGBps).sum()));
    return sums;
  }

  /// Whether there are four or more GPUs and each is linked directly with this many others.
  private boolean linked(int others) {
    return ways.size() > LEAST_ALIKE
        && ways.values().stream().allMatch(row -> direct(row).count() == others);
  }

  private static Stream<GraphPath> direct(Map<String, GraphPath> row) {
    return row.values().stream().filter(path -> path.hops() == 1);
  }

  /// The same for GPUs on a switch. A pair is as fast as the slower GPU, so a GPU's bandwidth is
  /// that of its fastest pair.
  private Map<String, Double> switched() {
    if (!ways.isEmpty() && toSwitch.size() == ways.size()) {
      return toSwitch;
    }
    Map<String, Double> widths = new TreeMap<>();
    for (var row : ways.entrySet()) {
      if (row.getValue().isEmpty()
          || row.getValue().values().stream().anyMatch(path -> path.hops() != 2)) {
        return Map.of();
      }
      widths.put(
          row.getKey(),
          row.getValue().values().stream().mapToDouble(GraphPath::bwGBps).max().orElse(0));
    }
    return widths;
  }

  /// Finds GPUs whose path to the CPU is slower than that of most others of the machine. Network
  /// cards are compared only if there is one for each GPU. Other cards serve storage or users, and
  /// are slower by design.
  private void slots(List<WeakLink> found) {
    var gpus = HostLinks.slots(process);
    slots("GPU", gpus, found);
    Map<String, Double> cards = new TreeMap<>();
    process
        .slots()
        .forEach(
            (end, slot) -> {
              if (end.startsWith(HostLinks.NIC)) {
                cards.put(end, slot.bwGBps());
              }
            });
    if (cards.size() == gpus.size()) {
      slots("network card", cards, found);
    }
  }

  private void slots(String what, Map<String, Double> slots, List<WeakLink> found) {
    if (slots.size() < LEAST_SLOTS) {
      return;
    }
    double usual = median(slots);
    var weak =
        slots.entrySet().stream().filter(e -> e.getValue() < LinkLoss.PCIE_SHARE * usual).toList();
    if (2 * weak.size() >= slots.size()) {
      return;
    }
    for (var slot : weak) {
      var name = slot.getKey().replace(HostLinks.NIC, "");
      found.add(
          new WeakLink(
              slot.getKey() + " PCIe",
              Set.of(slot.getKey()),
              "PCIe of %s %s carries %.0f GB/s, of the others %.0f"
                  .formatted(what, name, slot.getValue(), usual),
              "%.0f GB/s, as its peers have".formatted(usual),
              "%.0f GB/s".formatted(slot.getValue()),
              HostLinks.SLOWER_SLOT,
              what.equals("GPU")
                  ? "nvidia-smi --query-gpu=pci.bus_id,pcie.link.gen.max,pcie.link.width.current --format=csv"
                  : "lspci -vv | grep -E 'Ethernet|Infiniband|LnkSta'",
              slotProofs(slot.getKey(), slot.getValue(), slots)));
    }
  }

  /// The line of the slot, from the tree if the paths do not show it, and the line of another slot.
  private List<Evidence> slotProofs(String weak, double width, Map<String, Double> slots) {
    var own = process.slots().get(weak);
    if (own == null || own.bwGBps() > width) {
      return proofs(weak);
    }
    var lines = new ArrayList<>(List.of(own.proof()));
    for (var end : slots.keySet()) {
      var other = process.slots().get(end);
      if (other != null && other.bwGBps() > own.bwGBps()) {
        lines.add(other.proof());
        break;
      }
    }
    return lines;
  }

  private List<Evidence> proofs(String... gpus) {
    var lines = new ArrayList<Evidence>();
    for (var gpu : gpus) {
      var seen = process.ways().get(gpu);
      if (seen != null) {
        lines.add(seen.proof());
      }
    }
    process.ways().entrySet().stream()
        .filter(entry -> !List.of(gpus).contains(entry.getKey()))
        .limit(1)
        .forEach(entry -> lines.add(entry.getValue().proof()));
    return lines;
  }

  private static double median(Map<String, Double> values) {
    var sorted = values.values().stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }
}
