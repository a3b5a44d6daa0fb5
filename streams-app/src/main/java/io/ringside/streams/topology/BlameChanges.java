package io.ringside.streams.topology;

import static java.time.temporal.ChronoUnit.HOURS;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.JoinedNames;
import io.ringside.streams.judge.suspect.Blame;
import io.ringside.streams.judge.suspect.BlamedNodes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds which blames the nodes' memory must learn. The numbers of a finding change every second;
/// the nodes that it blames do not, so each blame is sent once an hour. Kept in memory only:
/// sending a blame again does no harm.
final class BlameChanges {
  private final Map<String, Blame> told = new HashMap<>();
  private Instant hour = Instant.EPOCH;

  /// Blames to send to the nodes' memory after a finding changed: new ones, and withdrawals of
  /// those that no longer hold.
  List<Blame> changes(
      @Nullable Finding before, @Nullable Finding after, int runNodes, Instant now) {
    if (!now.truncatedTo(HOURS).equals(hour)) {
      hour = now.truncatedTo(HOURS);
      told.clear();
    }
    var blamed = BlamedNodes.of(after, runNodes, now);
    var changes = new ArrayList<Blame>();
    BlamedNodes.of(before, runNodes, now)
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
