package io.ringside.streams.job.step;

import io.ringside.streams.parse.event.DeepSpeedEvent;
import java.util.Optional;

/// Estimates the global batch if only DeepSpeed's throughput shows it: samples a second times
/// seconds a step. The result must be near a multiple of ranks times micro steps, since each rank
/// gets equally many samples in each micro step.
final class BatchGuess {
  private static final double NEAR = 0.15;

  private double samplesAStep = Double.NaN;
  private long microSteps;

  BatchGuess() {}

  void note(DeepSpeedEvent.Throughput line, StepTrack track) {
    if (line.globalStep() > 0 && line.microStep() > 0) {
      microSteps = line.microStep() / line.globalStep();
    }
    double seconds = 0;
    long steps = 0;
    for (var segment : track.series().segments()) {
      seconds += segment.seconds();
      steps += segment.steps();
    }
    if (steps > 0 && line.averageSamplesPerSecond() > 0) {
      samplesAStep = line.averageSamplesPerSecond() * seconds / steps;
    }
  }

  Optional<Double> of(int nranks) {
    double unit = (double) nranks * Math.max(1, microSteps);
    if (Double.isNaN(samplesAStep) || unit <= 0) {
      return Optional.empty();
    }
    double batch = unit * Math.max(1, Math.round(samplesAStep / unit));
    return Math.abs(batch - samplesAStep) <= NEAR * batch ? Optional.of(batch) : Optional.empty();
  }
}
