package io.ringside.standalone.analyze;

import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.node.RecentSamples;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Samples in a ring of one slot a second for each node, as the service keeps them. Not
/// thread-safe.
final class RingSamples implements RecentSamples {
  private final long seconds;
  private final Map<String, Map<Long, GpuSample>> byNode = new HashMap<>();

  RingSamples(Duration ring) {
    this.seconds = ring.toSeconds();
  }

  @Override
  public void add(GpuSample sample) {
    long second = Math.floorDiv(Nanos.of(sample.at()), 1_000_000_000L);
    byNode
        .computeIfAbsent(sample.node(), _ -> new HashMap<>())
        .put(Math.floorMod(second, seconds), sample);
  }

  @Override
  public List<GpuSample> of(String node) {
    return byNode.getOrDefault(node, Map.of()).values().stream()
        .sorted(Comparator.comparing(GpuSample::at))
        .toList();
  }
}
