package io.ringside.streams.detect.straggler;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.job.gpu.GpuSecond;
import io.ringside.streams.job.step.StepTrack;
import java.time.Instant;
import java.util.NavigableMap;

/// Relates a track's steps to the clock of the GPUs' readings. Lines without times only tell how
/// long the steps took in all. If GPUs that idled before and after worked for about that long, they
/// worked for these steps.
///
/// @param offset nanoseconds to add to the track's times, NO_TIME if unknown
/// @param doubt possible error of the offset in nanoseconds
record StepClock(long offset, long doubt) {
  /// Share of the GPUs' working time that may lie outside of the steps, for example for loading and
  /// saving.
  private static final double OUTSIDE = 0.1;

  /// Progress bars print whole seconds, and readings are at least a second apart.
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

  /// The first second in which a GPU works, NO_TIME if none does.
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
