package io.ringside.streams.job;

import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.UnreachedWitness;
import io.ringside.streams.fact.NodeFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Witnesses that a node's agent did not reach, and until when. Bounded. Changed by
/// {@link NodeWatch} only.
public final class UnreachedWitnesses {
  private static final int MOST = 32;

  private final Map<String, UnreachedWitness> now = new TreeMap<>();
  private final List<Past> past = new ArrayList<>();

  UnreachedWitnesses() {}

  /// A witness that answered again.
  ///
  /// @param untilNanos when that was reported
  record Past(UnreachedWitness said, long untilNanos) {}

  void report(NodeFacts facts) {
    var before = Map.copyOf(now);
    now.clear();
    facts.unreached().stream()
        .limit(MOST)
        .forEach(said -> now.put(said.witness() + " " + said.why(), said));
    before.forEach(
        (key, said) -> {
          if (!now.containsKey(key)) {
            past.add(new Past(said, Nanos.of(facts.at())));
          }
        });
    if (past.size() > MOST) {
      past.subList(0, past.size() - MOST).clear();
    }
  }

  /// Witnesses that are out of reach by the newest report.
  public List<UnreachedWitness> now() {
    return List.copyOf(now.values());
  }

  /// Witnesses that were out of reach at a moment, by the node's clock.
  public List<UnreachedWitness> at(long nanos) {
    return Stream.concat(
            past.stream().filter(it -> nanos < it.untilNanos()).map(Past::said),
            now.values().stream())
        .filter(it -> Nanos.of(it.since()) <= nanos)
        .toList();
  }
}
