package io.ringside.streams.fact;

import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.UnreachedWitness;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// What the agent of a node reports, limited to what matters to the node's jobs.
///
/// @param at when it was reported, by the node's clock
/// @param intervalSeconds seconds until the next report
/// @param stuck parts of the agent that have made no progress for long
/// @param lagSeconds how long log lines have waited for delivery
/// @param lagBytes number of bytes that wait
/// @param leftBehindBytes bytes of files that were deleted before they were read, since the
///   previous report
/// @param seconds seconds since the previous report; 0 if there was none, it was too long ago, or
///   no network card was seen
/// @param rdmaBytes bytes over EFA, InfiniBand and RoCE in this time, both directions
/// @param ethernetBytes bytes over Ethernet in this time, both directions
/// @param ports counters of ports and TCP since the agent's previous look; empty between two looks
/// @param unreached witnesses that the agent is configured to query but cannot reach
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
    List<UnreachedWitness> unreached)
    implements JobInput {

  public NodeFacts {
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(sensor, "sensor");
    stuck = List.copyOf(stuck);
    ports = List.copyOf(ports);
    unreached = unreached == null ? List.of() : List.copyOf(unreached); // older records lack it
  }
}
