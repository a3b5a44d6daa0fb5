package io.ringside.streams.fact;

import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.Unreached;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// What the agent of a node reports, as far as it matters to the node's jobs.
///
/// @param at when it was reported, by the node's clock
/// @param intervalSeconds to the next report
/// @param stuck parts of the agent that have not moved for long
/// @param lagSeconds for how long log lines have waited to be delivered
/// @param lagBytes how many bytes wait
/// @param leftBehindBytes of files that were gone before they were read, since the report before
/// @param seconds since the report before, 0 if there was none, it was too long ago, or no card was
///   seen
/// @param rdmaBytes what EFA, InfiniBand and RoCE carried in this time, both ways
/// @param ethernetBytes what Ethernet carried in this time, both ways
/// @param ports what ports and TCP counted since the agent looked before; empty between two looks
/// @param unreached witnesses that the agent is to ask and does not reach
public record NodeFacts(
    String node,
    Instant at,
    double intervalSeconds,
    GpuSensor sensor,
    List<String> stuck,
    double lagSeconds,
    long lagBytes,
    long leftBehindBytes,
    double seconds,
    long rdmaBytes,
    long ethernetBytes,
    List<PortFacts> ports,
    List<Unreached> unreached)
    implements JobInput {

  public NodeFacts {
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(sensor, "sensor");
    stuck = List.copyOf(stuck);
    ports = List.copyOf(ports);
    unreached = unreached == null ? List.of() : List.copyOf(unreached); // older records know none
  }
}
