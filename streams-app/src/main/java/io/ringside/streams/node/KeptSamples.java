package io.ringside.streams.node;

import io.ringside.schemas.event.GpuSample;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Samples in plain memory. Not thread-safe.
public final class KeptSamples implements RecentSamples {
  private final int most;
  private final Map<String, Deque<GpuSample>> byNode = new HashMap<>();

  /// @param most number of samples kept for a node
  public KeptSamples(int most) {
    this.most = most;
  }

  @Override
  public void add(GpuSample sample) {
    var kept = byNode.computeIfAbsent(sample.node(), _ -> new ArrayDeque<>());
    kept.addLast(sample);
    if (kept.size() > most) {
      kept.removeFirst();
    }
  }

  @Override
  public List<GpuSample> of(String node) {
    return List.copyOf(byNode.getOrDefault(node, new ArrayDeque<>()));
  }
}
