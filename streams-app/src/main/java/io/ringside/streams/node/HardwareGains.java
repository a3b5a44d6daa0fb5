package io.ringside.streams.node;

import io.ringside.schemas.event.HardwareCounters;
import io.ringside.schemas.event.HardwareCounters.Gpu;
import io.ringside.streams.fact.GpuLink;
import io.ringside.streams.fact.PortErrorKind;
import io.ringside.streams.fact.PortFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a node's counters gained from one report to the next. A counter that is lower than before
/// started again, and so did all counters of the same part: a driver that is loaded again resets
/// them all. Owned by one stream thread.
final class HardwareGains {
  private static final int MOST_PARTS = 160;

  private final Map<String, Map<String, Long>> before = new HashMap<>();

  /// Gains of the ports. A port that is seen for the first time is left out.
  List<PortFacts> ports(List<HardwareCounters> hardware) {
    var ports = new ArrayList<PortFacts>();
    for (var part : hardware) {
      if (part.kind() != HardwareCounters.Kind.GPU) {
        var gained = gained(part);
        if (gained != null) {
          ports.add(port(part.name(), gained));
        }
      }
    }
    return ports;
  }

  /// Readings and gains of the GPUs, by bus id.
  Map<String, GpuLink> gpus(List<HardwareCounters> hardware) {
    var gpus = new LinkedHashMap<String, GpuLink>();
    for (var part : hardware) {
      if (part.kind() == HardwareCounters.Kind.GPU) {
        var gained = gained(part);
        gpus.put(part.name(), gpu(part.values(), gained == null ? Map.of() : gained));
      }
    }
    return gpus;
  }

  private @Nullable Map<String, Long> gained(HardwareCounters part) {
    var key = part.kind() + "|" + part.name();
    if (before.size() >= MOST_PARTS && !before.containsKey(key)) {
      return null;
    }
    var counters = new TreeMap<String, Long>();
    part.values()
        .forEach(
            (name, value) -> {
              if (counts(name)) {
                counters.put(name, value);
              }
            });
    var last = before.put(key, counters);
    if (last == null) {
      return null;
    }
    var gained = new TreeMap<String, Long>();
    for (var entry : counters.entrySet()) {
      var old = last.get(entry.getKey());
      if (old == null) {
        continue;
      }
      if (entry.getValue() < old) {
        return null;
      }
      gained.put(entry.getKey(), entry.getValue() - old);
    }
    return gained;
  }

  private static boolean counts(String name) {
    return switch (name) {
      case Gpu.NVLINK_REPLAYS, Gpu.NVLINK_RECOVERIES, Gpu.NVLINK_CRC, Gpu.ECC_CORRECTED -> true;
      default -> {
        for (var trouble : PortErrorKind.values()) {
          if (trouble.counters().contains(name)) {
            yield true;
          }
        }
        yield PortErrorKind.PACKETS.contains(name);
      }
    };
  }

  private static PortFacts port(String name, Map<String, Long> gained) {
    long packets =
        PortErrorKind.PACKETS.stream().mapToLong(it -> gained.getOrDefault(it, 0L)).sum();
    return PortFacts.of(name, packets, gained);
  }

  private static GpuLink gpu(Map<String, Long> now, Map<String, Long> gained) {
    return new GpuLink(
        of(gained, Gpu.NVLINK_REPLAYS),
        of(gained, Gpu.NVLINK_RECOVERIES),
        of(gained, Gpu.NVLINK_CRC),
        of(gained, Gpu.ECC_CORRECTED),
        of(now, Gpu.NVLINKS),
        of(now, Gpu.NVLINKS_INACTIVE),
        of(now, Gpu.PCIE_GEN),
        of(now, Gpu.PCIE_GEN_MAX),
        of(now, Gpu.PCIE_WIDTH),
        of(now, Gpu.PCIE_WIDTH_MAX),
        of(now, Gpu.BUSY),
        of(now, Gpu.ROWS_PENDING),
        of(now, Gpu.ROWS_FAILED),
        now.containsKey(Gpu.THERMAL_MARGIN)
            ? Math.max(0, of(now, Gpu.THERMAL_MARGIN))
            : GpuLink.UNKNOWN);
  }

  private static long of(Map<String, Long> values, String name) {
    return values.getOrDefault(name, GpuLink.UNKNOWN);
  }
}
