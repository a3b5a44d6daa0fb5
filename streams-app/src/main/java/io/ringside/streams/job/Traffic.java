package io.ringside.streams.job;

import io.ringside.streams.fact.NodeFacts;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Traffic of the network cards of a run's node while the run was the node's newest: a second
/// source beside NCCL's lines. Counts all traffic of the node, not only this run's.
public final class Traffic {
  private double seconds;
  private long rdmaBytes;
  private long ethernetBytes;
  private @Nullable Instant at;

  Traffic() {}

  void add(NodeFacts facts) {
    seconds += facts.seconds();
    rdmaBytes += facts.rdmaBytes();
    ethernetBytes += facts.ethernetBytes();
    at = facts.at();
  }

  /// Counted time in seconds.
  public double seconds() {
    return seconds;
  }

  /// Bytes over EFA, InfiniBand and RoCE, both ways.
  public long rdmaBytes() {
    return rdmaBytes;
  }

  /// Bytes over Ethernet, both ways.
  public long ethernetBytes() {
    return ethernetBytes;
  }

  /// When the newest report was made.
  public @Nullable Instant at() {
    return at;
  }
}
