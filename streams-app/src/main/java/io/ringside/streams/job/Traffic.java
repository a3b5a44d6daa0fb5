package io.ringside.streams.job;

import io.ringside.streams.fact.NodeFacts;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What the network cards of a run's node carried while the run was the node's newest: a second
/// witness beside what NCCL says. All that the node does is counted, not this run alone.
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

  /// For how long it was counted.
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
