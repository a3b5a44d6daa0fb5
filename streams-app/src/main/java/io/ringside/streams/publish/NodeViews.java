package io.ringside.streams.publish;

import io.ringside.streams.judge.suspect.NodeMemory;
import java.util.List;

/// The memory of nodes, for the partitions of this instance. Thread-safe.
@FunctionalInterface
public interface NodeViews {
  /// Nodes that findings blamed recently, in no particular order.
  ///
  /// @throws ViewsUnavailable while the stores move between instances
  List<NodeMemory> nodes();

  /// The same, with a list of what could not be queried.
  ///
  /// @throws ViewsUnavailable while the stores move between instances
  default NodesSnapshot lookAtNodes() {
    return new NodesSnapshot(nodes(), List.of());
  }

  /// Nodes at one moment.
  ///
  /// @param missing what is missing and why, one sentence each; empty if the nodes are complete
  record NodesSnapshot(List<NodeMemory> nodes, List<String> missing) {
    public NodesSnapshot {
      nodes = List.copyOf(nodes);
      missing = List.copyOf(missing);
    }
  }
}
