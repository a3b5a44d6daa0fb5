package io.ringside.streams.fact;

import io.ringside.schemas.event.NodeTopology;

/// How the GPUs of a node hang together on which the job has processes.
public record TopologyFacts(NodeTopology topology) implements JobInput {
  public String node() {
    return topology.node();
  }
}
