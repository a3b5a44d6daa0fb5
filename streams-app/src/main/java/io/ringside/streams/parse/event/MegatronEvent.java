package io.ringside.streams.parse.event;

import java.util.List;

/// What Megatron-LM prints. Shapes of core 0.4 to 0.19.
public sealed interface MegatronEvent extends LineEvent {

  /// ` [2026-02-01 10:00:00] iteration       10/     100 | consumed samples: … | elapsed time per
  /// iteration (ms): …`, printed by the last rank; the time is equal on all ranks (it follows a
  /// barrier).
  ///
  /// @param total number of iterations in all
  /// @param globalBatch global batch size in samples, or -1
  /// @param sequenceLength sequence length of a curriculum, which Megatron-DeepSpeed prints, or -1
  record Iteration(
      long iteration, long total, double millisPerIteration, long globalBatch, long sequenceLength)
      implements MegatronEvent {}

  /// `times across ranks (ms):`, the heading of a report of all ranks' timers.
  record TimersBegun() implements MegatronEvent {}

  /// `forward-compute:`. The times of all ranks follow.
  record Timer(String name) implements MegatronEvent {}

  /// `rank  3: 287.72`.
  record RankTime(int rank, double millis) implements MegatronEvent {}

  /// `using world size: 8, data-parallel size: 2, … tensor-model-parallel size: 4, …`, or
  /// `> initialized tensor model parallel with size 4`.
  ///
  /// @param size number of ranks that share each layer
  /// @param distinct whether the line gives the other sizes too, and none of them equals this one
  record TensorParallel(int size, boolean distinct) implements MegatronEvent {}

  /// `All tensor model parallel group ranks: [[0, 1], [2, 3]]`, which NeMo prints.
  record TensorGroups(List<List<Integer>> ranks) implements MegatronEvent {
    public TensorGroups {
      ranks = ranks.stream().map(List::copyOf).toList();
    }
  }
}
