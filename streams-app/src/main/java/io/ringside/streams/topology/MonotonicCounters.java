package io.ringside.streams.topology;

import io.ringside.schemas.event.RunAggregates;
import io.ringside.schemas.event.RunAggregates.WaitHistogram;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.RankWait;
import io.ringside.schemas.event.RunSummary.Waits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps the counters of a run's summary from falling while the run continues. All of them belong
/// to the moment when the run was last drawn, that is, when its aggregates were last computed. A
/// silent job is judged as if its last batch were complete; when its lines resume, its waits come
/// out a little lower. Only the last summary may be lower: it depends on the records alone, not on
/// the times of judging.
final class MonotonicCounters {
  private MonotonicCounters() {}

  /// @param known the summary as published, null if none was
  /// @param drawn whether the run was drawn for this summary, so that its histogram is as recent as
  ///   its sums
  static RunSummary rising(@Nullable RunSummary known, RunSummary run, boolean drawn) {
    if (known == null) {
      return run;
    }
    var before = known.aggregates();
    var now = run.aggregates();
    if (!drawn) {
      return run.with(
          known.waits(),
          before == null || now == null
              ? now
              : of(now, before.gpuSecondsLost(), before.waitHistogram()));
    }
    if (run.waits().ranks().isEmpty()) {
      return run; // waits are no longer judged
    }
    return run.with(
        most(known.waits(), run.waits()),
        before == null || now == null
            ? now
            : of(
                now,
                Math.max(before.gpuSecondsLost(), now.gpuSecondsLost()),
                most(before.waitHistogram(), now.waitHistogram())));
  }

  private static RunAggregates of(
      RunAggregates drawn, double gpuSecondsLost, @Nullable WaitHistogram histogram) {
    return new RunAggregates(
        gpuSecondsLost, drawn.waits(), drawn.steps(), drawn.gpus(), drawn.matrix(), histogram);
  }

  private static Waits most(Waits known, Waits now) {
    var before = new HashMap<Integer, RankWait>();
    known.ranks().forEach(each -> before.put(each.rank(), each));
    return new Waits(
        Math.max(known.rounds(), now.rounds()),
        Math.max(known.lateRounds(), now.lateRounds()),
        Math.max(known.lostSeconds(), now.lostSeconds()),
        now.basis(),
        now.ranks().stream().map(each -> most(before.get(each.rank()), each)).toList(),
        Math.max(known.leftOut(), now.leftOut()));
  }

  private static RankWait most(@Nullable RankWait known, RankWait now) {
    return known == null
        ? now
        : new RankWait(
            now.rank(),
            now.node(),
            now.pod(),
            now.gpu(),
            Math.max(known.waitSeconds(), now.waitSeconds()),
            Math.max(known.lastRounds(), now.lastRounds()),
            Math.max(known.blamedSeconds(), now.blamedSeconds()),
            now.p50Seconds(),
            now.p99Seconds());
  }

  /// Keeps the number of waits up to each class of the histogram from falling.
  private static @Nullable WaitHistogram most(
      @Nullable WaitHistogram known, @Nullable WaitHistogram now) {
    if (known == null || now == null || !known.seconds().equals(now.seconds())) {
      return now;
    }
    var counts = new ArrayList<Long>();
    long before = 0;
    long own = 0;
    long shown = 0;
    for (int i = 0; i < now.counts().size(); i++) {
      before += i < known.counts().size() ? known.counts().get(i) : 0;
      own += now.counts().get(i);
      long most = Math.max(before, own);
      counts.add(most - shown);
      shown = most;
    }
    return new WaitHistogram(now.seconds(), List.copyOf(counts));
  }
}
