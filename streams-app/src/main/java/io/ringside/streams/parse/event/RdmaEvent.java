package io.ringside.streams.parse.event;

import java.util.List;

/// What `rdma statistic show` of iproute2 prints about the counters of a port, where somebody saved
/// it beside a job's logs: on one line, one counter per line (`-p`), or as JSON (`-j`); or what the
/// kernel's files of these counters contain.
public sealed interface RdmaEvent extends LineEvent {
  /// `link mlx5_2/1 rx_write_requests 88123000 … out_of_sequence 12 …`
  ///
  /// @param device `mlx5_2/1`
  /// @param counters counts since the driver was loaded; empty where they follow, one per line
  record Port(String device, List<Counter> counters) implements RdmaEvent {
    public Port {
      counters = List.copyOf(counters);
    }
  }

  /// `    out_of_sequence 12`, for the port before it.
  record Counter(String name, long count) implements RdmaEvent {}

  /// `/sys/class/infiniband/rdmap16s27/ports/1/hw_counters/retrans_pkts:11`
  ///
  /// @param device `rdmap16s27/1`
  record PortCounter(String device, String name, long count) implements RdmaEvent {}
}
