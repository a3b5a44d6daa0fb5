package io.ringside.streams.join.fact;

import com.fasterxml.jackson.annotation.JsonTypeInfo;

/// One record on its way from a node to a job.
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "is")
public sealed interface JobInput permits LogFacts, GpuFacts, TopologyFacts, NodeFacts {
  /// The node that saw it.
  String node();
}
