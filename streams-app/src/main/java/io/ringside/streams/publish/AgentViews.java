package io.ringside.streams.publish;

import io.ringside.streams.node.Heartbeat;
import java.util.List;

/// The latest heartbeats of agents, for the partitions of this instance. Thread-safe.
@FunctionalInterface
public interface AgentViews {
  /// Every agent that reported within `processing.forgetAfter`, in no particular order.
  ///
  /// @throws ViewsUnavailable while the stores move between instances
  List<Heartbeat> agents();
}
