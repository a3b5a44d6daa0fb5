package io.ringside.streams.ledger;

import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunAggregates;
import io.ringside.schemas.event.RunAggregates.RankTimeline;
import io.ringside.schemas.event.RunAggregates.WaitTimeline;
import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.waits.Rounds;
import io.ringside.streams.waits.WaitSeries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Adds up the waits of a run's communicators by time bucket and by rank.
final class WaitTimelines {
  private final long width;
  private final long first;
  private final long[] lost;
  private final TreeMap<Integer, long[]> waited = new TreeMap<>();
  private final TreeMap<Integer, long[]> blamed = new TreeMap<>();
  private final Map<Integer, String> places = new HashMap<>();

  private WaitTimelines(long width, long first, int buckets) {
    this.width = width;
    this.first = first;
    this.lost = new long[buckets];
  }

  /// The time line of these communicators, null if none of them had a round.
  static @Nullable WaitTimeline of(Run run, List<Communicator> communicators) {
    var judged = communicators.stream().filter(comm -> !comm.waits().series().isEmpty()).toList();
    if (judged.isEmpty()) {
      return null;
    }
    long width = 1;
    long from = Long.MAX_VALUE;
    long to = Long.MIN_VALUE;
    for (var comm : judged) {
      var series = comm.waits().series();
      width = Math.max(width, series.width());
      from = Math.min(from, series.firstWindow());
      to = Math.max(to, series.lastWindow());
    }
    while (Math.floorDiv(to, width) - Math.floorDiv(from, width) >= RunAggregates.MAX_BUCKETS) {
      width *= 2;
    }
    long first = Math.floorDiv(from, width);
    var lines = new WaitTimelines(width, first, (int) (Math.floorDiv(to, width) - first + 1));
    judged.forEach(comm -> lines.add(run, comm));
    return lines.timeline();
  }

  private void add(Run run, Communicator comm) {
    WaitSeries series = comm.waits().series();
    var globals = new HashMap<Integer, Integer>();
    run.members(comm)
        .forEach(
            (rank, process) -> {
              globals.put(rank, run.rank(process));
              places.put(run.rank(process), place(process));
            });
    series.read(
        (window, rank, waitedMicros, blamedMicros) -> {
          int bucket = (int) (Math.floorDiv(window, width) - first);
          lost[bucket] += blamedMicros;
          int global = globals.getOrDefault(rank, -1);
          if (global >= 0) {
            if (comm.nranks() <= WaitSeries.FULL_RANKS) {
              line(waited, global)[bucket] += waitedMicros;
            }
            line(blamed, global)[bucket] += blamedMicros;
          }
        });
  }

  private static String place(TrainingProcess process) {
    return process.node().isEmpty() ? process.source().pod() : process.node();
  }

  private long[] line(TreeMap<Integer, long[]> lines, int rank) {
    return lines.computeIfAbsent(rank, _ -> new long[lost.length]);
  }

  private WaitTimeline timeline() {
    var lines = new ArrayList<RankTimeline>();
    blamed.forEach(
        (rank, micros) ->
            lines.add(new RankTimeline(rank, unlessIdle(waited.get(rank)), unlessIdle(micros))));
    return new WaitTimeline(
        Nanos.instant(first * width * Rounds.WINDOW_NANOS),
        Nanos.seconds(width * Rounds.WINDOW_NANOS),
        millis(lost),
        ListedTimelines.of(lines, places));
  }

  private static List<Integer> unlessIdle(long @Nullable [] micros) {
    var millis = micros == null ? List.<Integer>of() : millis(micros);
    return millis.stream().allMatch(each -> each == 0) ? List.of() : millis;
  }

  private static List<Integer> millis(long[] micros) {
    return Arrays.stream(micros)
        .mapToObj(each -> Math.clamp((each + 500) / 1000, 0, Integer.MAX_VALUE))
        .toList();
  }
}
