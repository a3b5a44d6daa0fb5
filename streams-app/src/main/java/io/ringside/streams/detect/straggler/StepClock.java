package io.ringside.streams.detect.straggler;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.job.gpu.GpuSecond;
import io.ringside.streams.job.step.StepTrack;
import java.time.Instant;
import java.util.NavigableMap;

/// When the steps of a track were, by the clock of the GPUs' readings. Lines without times tell how
/// long the steps took in all; where GPUs that idled before and after were at work for just so
/// long, they worked for these steps.
///
/// @param offset to add to the track's times, NO_TIME if it is not known
/// @param doubt by how many nanoseconds that may be wrong
record StepClock(long offset, long doubt) {
  /// Share of the work's length that may lie outside of the steps, as loading and saving do.
  private static final double OUTSIDE = 0.1;

  /// Bars tell whole seconds, and readings are that far apart at least.
  private static final long COARSE_NANOS = 2_000_000_000L;

  private static final StepClock UNKNOWN = new StepClock(NO_TIME, 0);

  static StepClock of(
      StepTrack track, NavigableMap<Long, GpuSecond> readings, Thresholds.GpuPeers limit) {
    if (track.offsetNanos() != NO_TIME) {
      return new StepClock(track.offsetNanos(), 0);
    }
    var segments = track.series().segments();
    if (GpuSample.isUntimed(Instant.ofEpochSecond(readings.firstKey()))) {
      return UNKNOWN;
    }
    long first = work(readings, limit);
    long last = work(readings.descendingMap(), limit);
    if (segments.isEmpty() || first == NO_TIME) {
      return UNKNOWN;
    }
    long worked = Nanos.ofSeconds(last - first);
    long outside = worked - segments.getLast().untilNanos();
    return Math.abs(outside) > OUTSIDE * worked
        ? UNKNOWN
        : new StepClock(Nanos.ofSeconds(first) + outside / 2, Math.abs(outside) / 2 + COARSE_NANOS);
  }

  /// The first second in which a GPU works.
  private static long work(NavigableMap<Long, GpuSecond> readings, Thresholds.GpuPeers limit) {
    for (var second : readings.entrySet()) {
      for (var gpu = second.getValue().gpus(); gpu.next(); ) {
        if (gpu.utilization() > limit.idlePercent()) {
          return second.getKey();
        }
      }
    }
    return NO_TIME;
  }
}
