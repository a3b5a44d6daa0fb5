package io.ringside.streams.topology;

import static java.time.temporal.ChronoUnit.HOURS;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.JoinedNames;
import io.ringside.streams.judge.suspect.Blame;
import io.ringside.streams.judge.suspect.Blames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the nodes' memory was told this hour: numbers of a finding change every second, whom it
/// blames does not. Lives in memory: to tell it again does no harm.
final class BlameChanges {
  private final Map<String, Blame> told = new HashMap<>();
  private Instant hour = Instant.EPOCH;

  /// What the memory must be told after a finding changed: whom it blames, and whom no more.
  List<Blame> changes(
      @Nullable Finding before, @Nullable Finding after, int runNodes, Instant now) {
    if (!now.truncatedTo(HOURS).equals(hour)) {
      hour = now.truncatedTo(HOURS);
      told.clear();
    }
    var blamed = Blames.of(after, runNodes, now);
    var changes = new ArrayList<Blame>();
    Blames.of(before, runNodes, now)
        .forEach(
            (node, blame) -> {
              if (!blamed.containsKey(node)) {
                told.remove(key(blame));
                changes.add(blame.withdraw());
              }
            });
    for (var blame : blamed.values()) {
      var alike = blame.saidAt(hour);
      if (!alike.equals(told.put(key(blame), alike))) {
        changes.add(blame);
      }
    }
    return changes;
  }

  private static String key(Blame blame) {
    return JoinedNames.of(blame.key(), blame.jobKey().text(), blame.finding());
  }
}
