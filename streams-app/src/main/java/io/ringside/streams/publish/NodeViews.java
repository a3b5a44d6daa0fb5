package io.ringside.streams.publish;

import io.ringside.streams.judge.suspect.NodeMemory;
import java.util.List;

/// What is remembered of nodes, for the partitions of this instance. Thread-safe.
@FunctionalInterface
public interface NodeViews {
  /// Nodes that any finding blamed lately, in no particular order.
  ///
  /// @throws ViewsUnavailable while the stores move between instances
  List<NodeMemory> nodes();

  /// The same with what could not be asked.
  ///
  /// @throws ViewsUnavailable while the stores move between instances
  default NodeLook lookAtNodes() {
    return new NodeLook(nodes(), List.of());
  }

  /// Nodes at one moment.
  ///
  /// @param missing what is not among them and why, one sentence each; empty where they are
  ///   complete
  record NodeLook(List<NodeMemory> nodes, List<String> missing) {
    public NodeLook {
      nodes = List.copyOf(nodes);
      missing = List.copyOf(missing);
    }
  }
}
