package io.ringside.streams.parse.event;

import java.util.List;

/// What `rdma statistic show` of iproute2 prints of a port's counters, where somebody saved it
/// beside a job's logs: in a line, a counter a line (`-p`), or as JSON (`-j`).
public sealed interface RdmaEvent extends LineEvent {
  /// `link mlx5_2/1 rx_write_requests 88123000 … out_of_sequence 12 …`
  ///
  /// @param device `mlx5_2/1`
  /// @param counters since the driver was loaded; empty where they follow, one a line
  record Port(String device, List<Counter> counters) implements RdmaEvent {
    public Port {
      counters = List.copyOf(counters);
    }
  }

  /// `    out_of_sequence 12`, of the port before it.
  record Counter(String name, long count) implements RdmaEvent {}
}
