package io.ringside.streams.job.hardware;

import io.ringside.streams.fact.PortErrorKind;
import io.ringside.streams.fact.PortFacts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Counters of a port: its last readings, and earlier ones as sums. A reading adds at most three
/// times what was usual until then to the sums, so that a port that stays bad does not become its
/// own past within an hour.
public final class PortHistory {
  /// Number of readings that are kept one by one.
  public static final int RECENT = 5;

  /// Number of earlier readings from which on the past is long enough.
  private static final int KNOWN = 10;

  private static final double MOST_TIMES_USUAL = 3;

  private final List<PortSample> recent = new ArrayList<>();
  private int pastLooks;
  private double pastPackets;
  private final List<Double> pastEvents =
      new ArrayList<>(Collections.nCopies(PortErrorKind.values().length, 0.0));

  /// Adds one reading.
  public void add(long atNanos, PortFacts facts) {
    recent.add(new PortSample(atNanos, facts));
    if (recent.size() > RECENT) {
      retire(recent.removeFirst().facts());
    }
  }

  private void retire(PortFacts facts) {
    for (var trouble : PortErrorKind.values()) {
      double events = facts.events(trouble);
      if (known()) {
        events = Math.min(events, MOST_TIMES_USUAL * share(trouble) * facts.packets());
      }
      pastEvents.set(trouble.ordinal(), pastEvents.get(trouble.ordinal()) + events);
    }
    pastPackets += facts.packets();
    pastLooks++;
  }

  /// The last readings, oldest first.
  public List<PortSample> recent() {
    return recent;
  }

  /// Whether the past is long enough to show what is usual.
  public boolean known() {
    return pastLooks >= KNOWN && pastPackets > 0;
  }

  /// Usual number of events a packet. Adds one event to those counted, since it is unknown how rare
  /// an event is that never happened.
  public double share(PortErrorKind trouble) {
    return pastPackets > 0 ? (pastEvents.get(trouble.ordinal()) + 1) / pastPackets : 0;
  }
}
