package io.ringside.shipper.source.export;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Returns entries in the order in which they were written, since Loki, CloudWatch Insights and
/// Kibana export the newest first. The first entries decide. An export too large to reverse in
/// memory keeps its order. Not thread-safe.
final class OldestFirst implements Export.Source {
  /// Number of entries with times that are examined for the order.
  private static final int LOOKED_AT = 200;

  /// Least share of time steps that go back if the newest comes first.
  private static final double BACKWARDS = 0.9;

  /// Least number of time steps; fewer may be chance.
  private static final int LEAST_STEPS = 3;

  private static final long MOST_CHARACTERS = 256L << 20;

  private final Export.Source entries;
  private final Deque<Entry> ready = new ArrayDeque<>();
  private boolean looked;

  OldestFirst(Export.Source entries) {
    this.entries = entries;
  }

  @Override
  public @Nullable Entry next() throws IOException {
    if (!looked) {
      looked = true;
      look();
    }
    return ready.isEmpty() ? entries.next() : ready.removeFirst();
  }

  private void look() throws IOException {
    var first = new ArrayList<Entry>();
    int timed = 0;
    while (timed < LOOKED_AT && first.size() < 2 * LOOKED_AT) {
      var entry = entries.next();
      if (entry == null) {
        break;
      }
      first.add(entry);
      timed += entry.nanos() == NO_TIME ? 0 : 1;
    }
    ready.addAll(first);
    if (falls(first)) {
      turnRound();
    }
  }

  private static boolean falls(List<Entry> entries) {
    long before = NO_TIME;
    int back = 0;
    int steps = 0;
    for (var entry : entries) {
      if (entry.nanos() != NO_TIME) {
        if (before != NO_TIME && before != entry.nanos()) {
          steps++;
          back += entry.nanos() < before ? 1 : 0;
        }
        before = entry.nanos();
      }
    }
    return steps >= LEAST_STEPS && back >= BACKWARDS * steps;
  }

  private void turnRound() throws IOException {
    long characters = ready.stream().mapToLong(entry -> entry.message().length()).sum();
    while (characters <= MOST_CHARACTERS) {
      var entry = entries.next();
      if (entry == null) {
        var turned = new ArrayList<>(ready).reversed();
        ready.clear();
        ready.addAll(turned);
        return;
      }
      ready.addLast(entry);
      characters += entry.message().length();
    }
  }

  @Override
  public void close() throws IOException {
    entries.close();
  }
}
