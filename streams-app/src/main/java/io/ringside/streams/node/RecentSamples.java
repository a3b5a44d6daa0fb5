package io.ringside.streams.node;

import io.ringside.schemas.event.GpuSample;
import java.util.List;

/// The most recent GPU samples. Log lines and samples of a node come through different topics, so
/// either may come first. A process that is placed late still gets the samples of its time.
public interface RecentSamples {
  /// Keeps a sample and may drop the oldest one of its node.
  void add(GpuSample sample);

  /// Samples of the node, oldest first.
  List<GpuSample> of(String node);
}
