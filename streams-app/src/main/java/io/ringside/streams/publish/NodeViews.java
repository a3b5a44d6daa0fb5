package io.ringside.streams.publish;

import io.ringside.streams.detect.suspect.NodeMemory;
import java.util.List;

/// What is remembered of nodes, for the partitions of this instance. Thread-safe.
@FunctionalInterface
public interface NodeViews {
  /// Nodes that any finding blamed lately, in no particular order.
  ///
  /// @throws ViewsUnavailable while the stores move between instances
  List<NodeMemory> nodes();
}
