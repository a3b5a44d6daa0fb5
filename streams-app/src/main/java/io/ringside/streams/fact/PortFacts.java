package io.ringside.streams.fact;

import java.util.List;

/// What a port counted since the report before.
///
/// @param device `mlx5_0/1`, empty for all TCP of the node
/// @param packets both ways
/// @param events by the order of {@link Trouble}
/// @param words the counters that rose, for a report
public record PortFacts(String device, long packets, List<Long> events, String words) {
  public PortFacts {
    events = List.copyOf(events);
  }

  public long events(Trouble trouble) {
    return trouble.ordinal() < events.size() ? events.get(trouble.ordinal()) : 0;
  }
}
