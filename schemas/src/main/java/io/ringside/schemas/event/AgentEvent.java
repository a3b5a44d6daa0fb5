package io.ringside.schemas.event;

/// What an agent sends of its node.
public sealed interface AgentEvent extends TelemetryEvent
    permits LogChunk, GpuSample, NodeTopology, NodeReport {
  /// The node of which it is, the record's key.
  String node();
}
