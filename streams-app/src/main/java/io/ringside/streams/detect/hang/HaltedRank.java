package io.ringside.streams.detect.hang;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.RankText;
import io.ringside.streams.job.step.RunSteps.Stride;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Finds a hang that only the ranks' own lines show. Each rank prints its position in every step;
/// most have reached the same line of one step, and a rank that used to reach that line has not.
/// Other threads must still write to their files: a log that just ends proves no hang.
///
/// ```text
///   ranks 0 to 4, 6, 7   step 180 batch loaded   step 180 backward done     health health health …
///   rank 5               step 180 opens a shard                             health health health …
/// ```
final class HaltedRank {
  private static final int LEAST_RANKS = 3;
  private static final int UNDER_WAY = 20;
  private static final Duration PAUSED_AFTER = Duration.ofSeconds(10);

  /// Minimum share of the ranks that reached the same line.
  private static final double MOST = 0.66;

  /// At most one in this many ranks may be missing.
  private static final int ONE_OF = 4;

  /// Delay of a step's line: lines that come this late may belong to steps made before.
  private static final long LAST_STEP_NANOS = 5_000_000_000L;

  private static final Comparator<Place> ORDER =
      Comparator.comparingLong(Place::step).thenComparingInt(Place::lines);

  private HaltedRank() {}

  /// A position in a step: the number of lines printed in it.
  private record Place(long step, int lines) {
    static Place of(Stride stride) {
      return new Place(stride.at().step(), stride.at().lines());
    }
  }

  static List<Finding> examine(Examination examination) {
    var run = examination.run();
    var strides = run.steps().strides();
    if (strides.size() < LEAST_RANKS || !examination.newestRun() || run.explained()) {
      return List.of();
    }
    var counts = new TreeMap<Place, Integer>(ORDER);
    strides.values().forEach(stride -> counts.merge(Place.of(stride), 1, Integer::sum));
    var common =
        counts.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    var waiting = new ArrayList<Stride>();
    var behind = new TreeSet<Integer>();
    boolean known = true;
    for (var stride : strides.values()) {
      int order = ORDER.compare(Place.of(stride), common);
      if (order == 0) {
        waiting.add(stride);
      } else if (order < 0) {
        behind.add(stride.at().rank());
        known &= usedToCome(stride, common);
      }
      known &= stride.atNanos() != NO_TIME && stride.at().steps() >= UNDER_WAY;
    }
    return known
            && !behind.isEmpty()
            && behind.size() <= Math.max(1, strides.size() / ONE_OF)
            && waiting.size() >= MOST * strides.size()
        ? standstill(behind, waiting, examination)
        : List.of();
  }

  /// Whether the rank used to reach that line. It is in the same step and printed as many lines in
  /// other steps, or it is in the step before.
  private static boolean usedToCome(Stride stride, Place common) {
    return stride.at().step() == common.step() && stride.at().usual() >= common.lines()
        || stride.at().step() == common.step() - 1;
  }

  private static List<Finding> standstill(
      Set<Integer> behind, List<Stride> waiting, Examination examination) {
    var run = examination.run();
    var strides = run.steps().strides();
    var missing = strides.values().stream().filter(it -> behind.contains(it.at().rank())).toList();
    long since = strides.values().stream().mapToLong(Stride::atNanos).max().orElse(NO_TIME);
    long until = missing.stream().mapToLong(it -> toldUntil(it, examination)).min().orElse(NO_TIME);
    long others =
        waiting.stream().mapToLong(it -> toldUntil(it, examination)).max().orElse(NO_TIME);
    var length = Duration.ofNanos(Math.min(until, others) - since);
    if (length.compareTo(PAUSED_AFTER) < 0 || run.progressNanos() > since + LAST_STEP_NANOS) {
      return List.of();
    }
    long longest =
        strides.values().stream().mapToLong(it -> it.at().longestNanos()).max().orElse(0);
    // rank 0 has duties beside training
    var severity =
        behind.contains(0)
            ? Severity.INFO
            : Pause.severity(
                length,
                examination.expectations().thresholds().hang().silence(),
                Duration.ofNanos(longest));
    long step = waiting.getFirst().at().step();
    var draft =
        FindingDraft.ofRanks(FindingKind.HANG, severity, examination, behind)
            .between(Nanos.instant(since), null)
            .summary(
                "%s: %d of %d ranks have stood in step %d for %s, and %s not come as far"
                    .formatted(
                        severity == Severity.INFO ? "paused" : "the job hangs",
                        waiting.size(),
                        strides.size(),
                        step,
                        DurationWords.time(length.toSeconds()),
                        RankText.clause(behind, "has", "have")))
            .expected("all ranks make the same steps")
            .observed("%s is missing in step %d".formatted(RankText.words(behind), step))
            .cost(new Cost(length.toSeconds() * (double) strides.size(), null))
            .cause(
                RankText.words(behind)
                    + " stopped in its own code, where its last line was written");
    missing.stream().limit(3).forEach(it -> draft.proof(it.line()));
    waiting.stream().limit(2).forEach(it -> draft.proof(it.line()));
    return List.of(draft.finding());
  }

  /// Time of the newest line of its file, whichever thread or process wrote it.
  private static long toldUntil(Stride stride, Examination examination) {
    var source = examination.job().sources().get(stride.file());
    return source == null ? NO_TIME : source.lineNanos();
  }
}
