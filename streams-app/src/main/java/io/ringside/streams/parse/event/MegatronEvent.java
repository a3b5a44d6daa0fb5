package io.ringside.streams.parse.event;

/// What Megatron-LM prints. Shapes of core 0.4 to 0.19.
public sealed interface MegatronEvent extends LineEvent {

  /// ` [2026-02-01 10:00:00] iteration       10/     100 | consumed samples: … | elapsed time per iteration (ms): …`,
  /// printed by the last rank; the time is equal on all ranks (it follows a barrier).
  ///
  /// @param globalBatch or -1
  /// @param teraflopsPerGpu or NaN
  record Iteration(
      long iteration,
      long iterations,
      double millisPerIteration,
      long globalBatch,
      double teraflopsPerGpu)
      implements MegatronEvent {}

  /// `    forward-compute ....: (12.10, 99.20)` below `(min, max) time across ranks (ms):`, or one value
  /// below `max time across ranks (ms):` (min is NaN then).
  record Timer(String name, double minMillis, double maxMillis) implements MegatronEvent {}

  /// `     rank  3: 12.10` below a timer's name in the mode `all`.
  record RankTimer(int rank, double millis) implements MegatronEvent {}

  /// The name of the timer above its [RankTimer] lines.
  record TimerName(String name) implements MegatronEvent {}

  /// `… | MnRtt/Rnk: 12.3ms/4 | MxRtt/Rnk: 45.6ms/2 | …` of `--log-straggler`. NaN and -1 where absent.
  record Straggler(
      double minForwardMillis,
      int minForwardRank,
      double maxForwardMillis,
      int maxForwardRank,
      double minTeraflops,
      int minTeraflopsRank,
      double maxTeraflops,
      int maxTeraflopsRank)
      implements MegatronEvent {}

  /// `saving checkpoint at iteration      10 to …`, or done: `successfully saved checkpoint from iteration …`.
  record Checkpoint(long iteration, boolean done) implements MegatronEvent {}

  /// `[after model is built] datetime: 2026-02-01 10:00:00`: all ranks have met at a barrier.
  record PhaseMarker(String phase) implements MegatronEvent {}
}
