package io.ringside.streams.fact;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What a port counted since the previous report.
///
/// @param device such as `mlx5_0/1`; empty for all TCP of the node
/// @param packets packets in both directions
/// @param events counts, in the order of {@link PortErrorKind}
/// @param words the counters that rose, as text for reports
public record PortFacts(String device, long packets, List<Long> events, String words) {
  public PortFacts {
    events = List.copyOf(events);
  }

  /// @param gained increase by the kernel's name of the counter
  public static PortFacts of(String device, long packets, Map<String, Long> gained) {
    var events = new ArrayList<Long>();
    var words = new ArrayList<String>();
    for (var trouble : PortErrorKind.values()) {
      long sum = 0;
      for (var counter : trouble.counters()) {
        long more = gained.getOrDefault(counter, 0L);
        sum += more;
        if (more > 0) {
          words.add(counter + " +" + more);
        }
      }
      events.add(sum);
    }
    return new PortFacts(device, packets, events, String.join(", ", words));
  }

  public long events(PortErrorKind trouble) {
    return trouble.ordinal() < events.size() ? events.get(trouble.ordinal()) : 0;
  }
}
