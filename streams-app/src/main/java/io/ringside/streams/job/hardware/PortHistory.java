package io.ringside.streams.job.hardware;

import io.ringside.streams.fact.PortFacts;
import io.ringside.streams.fact.Trouble;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// What a port counted: its last looks, and its past in sums. What goes into the past counts for no
/// more than three times what was usual until then: a port that stays bad does not become its own
/// past within an hour.
public final class PortHistory {
  /// Looks that are kept one by one.
  public static final int RECENT = 5;

  /// From so many looks on a past is one.
  private static final int KNOWN = 10;

  private static final double MOST_TIMES_USUAL = 3;

  private final List<PortSample> recent = new ArrayList<>();
  private int pastLooks;
  private double pastPackets;
  private final List<Double> pastEvents =
      new ArrayList<>(Collections.nCopies(Trouble.values().length, 0.0));

  /// Takes in one look.
  public void add(long atNanos, PortFacts facts) {
    recent.add(new PortSample(atNanos, facts));
    if (recent.size() > RECENT) {
      retire(recent.removeFirst().facts());
    }
  }

  private void retire(PortFacts facts) {
    for (var trouble : Trouble.values()) {
      double events = facts.events(trouble);
      if (known()) {
        events = Math.min(events, MOST_TIMES_USUAL * share(trouble) * facts.packets());
      }
      pastEvents.set(trouble.ordinal(), pastEvents.get(trouble.ordinal()) + events);
    }
    pastPackets += facts.packets();
    pastLooks++;
  }

  /// The last looks, oldest first.
  public List<PortSample> recent() {
    return recent;
  }

  /// Whether the past is long enough to tell what is usual.
  public boolean known() {
    return pastLooks >= KNOWN && pastPackets > 0;
  }

  /// How many events a packet were usual. One event more than there were: of what never happened
  /// nobody knows how rare it is.
  public double share(Trouble trouble) {
    return pastPackets > 0 ? (pastEvents.get(trouble.ordinal()) + 1) / pastPackets : 0;
  }
}
