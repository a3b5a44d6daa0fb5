package io.ringside.streams.parse.event;

import java.util.List;

/// What DeepSpeed prints, with or without its logger's prefix. Shapes of 0.3.0 to 0.19.5. Rank 0
/// alone prints nearly all of it.
public sealed interface DeepSpeedEvent extends LineEvent {

  /// One timer of a `time (ms) | …` line.
  record Timer(String name, double millis) {}

  /// `time (ms) | fwd_microstep: 12.3 | bwd_microstep: …`. Up to 0.18.2, with a monitor enabled,
  /// all timers are zero: the real times are unknown.
  ///
  /// @param micro whether the times are of one micro step, not of the whole step
  record WallClock(boolean micro, List<Timer> timers) implements DeepSpeedEvent {
    public WallClock {
      timers = List.copyOf(timers);
    }

    /// True if every value is 0.00: the timers were emptied before they were printed.
    public boolean emptied() {
      return timers.stream().allMatch(timer -> timer.millis() == 0);
    }
  }

  /// `epoch=0/micro_step=40/global_step=10, RunningAvgSamplesPerSec=…, CurrSamplesPerSec=…, …`; -1
  /// or NaN where absent.
  record Throughput(
      long microStep, long globalStep, double averageSamplesPerSecond, double samplesPerSecond)
      implements DeepSpeedEvent {}

  /// `step=10, skipped=0, lr=[…], mom=[…]`.
  record Step(long step) implements DeepSpeedEvent {}

  /// `steps: 10 loss: 2.1 iter time (s): 0.512 samples/sec: 125.0` of the pipeline engine.
  record PipelineStep(double iterationSeconds, double samplesPerSecond) implements DeepSpeedEvent {}

  /// Heading of a table of `log_summary()`. Its operations and rows follow, one per line.
  ///
  /// @param straggler true for the table of pure communication and waiting, false for the plain one
  record SummaryTable(boolean straggler) implements DeepSpeedEvent {}

  /// The name of an operation, alone on a line of a summary table. Its rows follow.
  record SummaryOp(String op) implements DeepSpeedEvent {}

  /// A row of a summary table. The last [SummaryTable] says which table it belongs to.
  ///
  /// @param totalMillis total latency; in the straggler table that of pure communication
  /// @param second average latency; in the straggler table the printing rank's own total wait
  record SummaryRow(double totalMillis, double second) implements DeepSpeedEvent {}

  /// `[launch.py:…] 152 exits with return code = -9` of the launcher, or
  /// `Process 152 exits successfully.`.
  record LaunchedExit(int code) implements DeepSpeedEvent {}
}
