package io.ringside.streams.ledger;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunAggregates.StepPoint;
import io.ringside.schemas.event.RunAggregates.Steps;
import io.ringside.streams.examine.StepTimes;
import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.step.StepTrack;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Step times of a run, from the kind of line that reports them best.
final class StepTimelines {
  private StepTimelines() {}

  /// The step times of a run, null if no framework printed anything about steps.
  static @Nullable Steps of(Run run, Thresholds.Steps limit) {
    var tracks = run.steps().tracks();
    var best = tracks.stream().findFirst().orElse(null);
    if (best == null) {
      return null;
    }
    var times = StepTimes.of(best, limit);
    StepTimes.slowed(tracks, limit).ifPresent(times::agreeWith);
    var batch = run.steps().globalBatch(run.nranks());
    double median = times.medianMillis();
    double samples = run.steps().samplesPerSecond();
    return new Steps(
        best.source().label(),
        best.series().steps(),
        known(median),
        known(times.baselineMillis()),
        known(times.recentMillis()),
        batch.orElse(null),
        null,
        run.steps().parameters().orElse(null),
        Double.isNaN(samples) ? known(1000 * batch.orElse(Double.NaN) / median) : known(samples),
        points(best));
  }

  private static List<StepPoint> points(StepTrack track) {
    long offset = track.offsetNanos();
    return offset == NO_TIME
        ? List.of()
        : track.series().segments().stream()
            .map(
                segment ->
                    new StepPoint(
                        Nanos.instant(segment.sinceNanos() + offset),
                        Math.rint(10 * segment.medianMillis()) / 10,
                        segment.steps()))
            .toList();
  }

  private static @Nullable Double known(double value) {
    return Double.isNaN(value) || Double.isInfinite(value) ? null : value;
  }
}
