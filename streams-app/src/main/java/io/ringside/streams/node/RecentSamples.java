package io.ringside.streams.node;

import io.ringside.schemas.event.GpuSample;
import java.util.List;

/// The GPU samples of the last while. Log lines and samples of a node come through different
/// topics, so either may come first, and a process that is placed late still gets the samples of
/// its time.
public interface RecentSamples {
  /// Keeps a sample, at the cost of the oldest one of its node.
  void add(GpuSample sample);

  /// Those of the node, oldest first.
  List<GpuSample> of(String node);
}
