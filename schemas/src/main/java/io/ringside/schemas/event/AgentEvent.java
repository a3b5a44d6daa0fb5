package io.ringside.schemas.event;

/// A record that an agent sends about its node.
public sealed interface AgentEvent extends TelemetryEvent
    permits LogChunk, GpuSample, NodeTopology, NodeReport {
  /// The node that the record is about; the record's key.
  String node();
}
