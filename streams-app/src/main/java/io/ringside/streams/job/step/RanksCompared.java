package io.ringside.streams.job.step;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// How often a program that compares its ranks found each one slow.
public final class RanksCompared {
  /// Most ranks that are remembered.
  private static final int MOST_RANKS = 64;

  private static final int MOST_PROOFS = 3;

  private final Map<Integer, Slow> slow = new TreeMap<>();
  private int reports;

  RanksCompared() {}

  /// A rank that was slow.
  public static final class Slow {
    private int times;
    private int firstReport;
    private int lastReport;
    private long firstNanos = NO_TIME;
    private long lastNanos = NO_TIME;
    private final List<Evidence> proofs = new ArrayList<>();

    Slow() {}

    /// Number of reports that call it slow.
    public int times() {
      return times;
    }

    /// When it was first called slow, NO_TIME if the line carries no time.
    public long firstNanos() {
      return firstNanos;
    }

    /// When it was last called slow, NO_TIME if the line carries no time.
    public long lastNanos() {
      return lastNanos;
    }

    /// The last lines that call it slow.
    public List<Evidence> proofs() {
      return List.copyOf(proofs);
    }

    private void note(int report, long atNanos, Evidence line) {
      firstReport = times == 0 ? report : firstReport;
      firstNanos = times == 0 ? atNanos : firstNanos;
      lastReport = report;
      lastNanos = atNanos;
      times++;
      proofs.add(line);
      if (proofs.size() > MOST_PROOFS) {
        proofs.removeFirst();
      }
    }
  }

  void compared() {
    reports++;
  }

  void slow(List<Integer> ranks, long atNanos, Evidence line) {
    for (int rank : ranks) {
      if (slow.size() < MOST_RANKS || slow.containsKey(rank)) {
        slow.computeIfAbsent(rank, _ -> new Slow()).note(reports, atNanos, line);
      }
    }
  }

  /// Ranks that were ever slow, by rank.
  public Map<Integer, Slow> slow() {
    return slow;
  }

  /// Number of reports since it was first slow, that one included.
  public int reportsSince(Slow rank) {
    return reports - rank.firstReport + 1;
  }

  /// Whether the last report calls it slow.
  public boolean still(Slow rank) {
    return rank.lastReport == reports;
  }
}
