package io.ringside.streams.fact;

import io.ringside.schemas.event.NodeTopology;

/// How the GPUs of a node on which the job has processes are connected.
public record TopologyFacts(NodeTopology topology) implements JobInput {
  public String node() {
    return topology.node();
  }
}
