package io.ringside.streams.publish;

import io.ringside.streams.node.Heartbeat;
import java.util.List;

/// What agents said of themselves last, for the partitions of this instance. Thread-safe.
@FunctionalInterface
public interface AgentViews {
  /// Every agent that was heard within `processing.forgetAfter`, in no particular order.
  ///
  /// @throws ViewsUnavailable while the stores move between instances
  List<Heartbeat> agents();
}
