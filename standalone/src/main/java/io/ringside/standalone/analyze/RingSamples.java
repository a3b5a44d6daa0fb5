package io.ringside.standalone.analyze;

import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.node.RecentSamples;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The newest samples of each node, one per second. Holds as many as the service keeps of a sensor
/// that is read every second, so for a sensor that is read less often it covers a longer time. Not
/// thread-safe.
final class RingSamples implements RecentSamples {
  private final long most;
  private final Map<String, TreeMap<Long, GpuSample>> byNode = new HashMap<>();

  RingSamples(Duration eachSecond) {
    this.most = eachSecond.toSeconds();
  }

  @Override
  public void add(GpuSample sample) {
    var ofNode = byNode.computeIfAbsent(sample.node(), _ -> new TreeMap<>());
    ofNode.put(Math.floorDiv(Nanos.of(sample.at()), 1_000_000_000L), sample);
    if (ofNode.size() > most) {
      ofNode.pollFirstEntry();
    }
  }

  @Override
  public List<GpuSample> of(String node) {
    return List.copyOf(byNode.getOrDefault(node, new TreeMap<>()).values());
  }
}
