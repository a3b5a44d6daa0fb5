package io.ringside.streams.job.step;

import io.ringside.streams.parse.event.DeepSpeedEvent;

/// Adds up the parts of a step in DeepSpeed's `time (ms)` lines.
final class StepTimers {
  private StepTimers() {}

  /// Milliseconds of a whole step: forward, backward and optimizer. NaN for lines of a micro step
  /// or of something else, and for timers that were emptied before they were printed.
  static double of(DeepSpeedEvent.WallClock line) {
    if (line.micro() || line.emptied()) {
      return Double.NaN;
    }
    double forward = Double.NaN;
    double rest = 0;
    for (var timer : line.timers()) {
      switch (timer.name()) {
        case "fwd", "forward" -> forward = timer.millis();
        case "bwd", "backward", "step" -> rest += timer.millis();
        default -> {}
      }
    }
    return rest > 0 ? forward + rest : Double.NaN;
  }
}
