package io.ringside.lab.simulate;

import io.ringside.lab.simulate.Schedule.Call;
import io.ringside.lab.simulate.Schedule.Pipeline;
import io.ringside.lab.simulate.Schedule.Span;
import java.util.ArrayList;
import java.util.List;

/// Programs with more than two communicators, and with ranks that do unlike work.
final class Schedules {
  private Schedules() {}

  /// Tensor parallelism within pods, sharded data parallelism over the ranks of one place, norms
  /// over the world.
  static Schedule threeWays(int layers, boolean blocking, int depth) {
    var calls = new ArrayList<Call>();
    for (int i = 0; i < layers; i++) {
      calls.add(new Call(2, "AllGather", 1_048_576));
      calls.add(new Call(1, "AllReduce", 2_097_152));
    }
    calls.add(new Call(2, "ReduceScatter", 4_194_304));
    calls.add(new Call(0, "AllReduce", 1));
    return new Schedule(
        "tensor and data parallel, " + layers + " layers",
        calls,
        List.of(Span.WORLD, Span.PODS, Span.PLACES),
        blocking,
        depth,
        1,
        Pipeline.NONE);
  }

  /// One forward, one backward (Megatron's schedule): the last stage begins last and is done first,
  /// since its gradients go back through all stages; so the first stages are the last to call the
  /// all-reduce of the norm, in each step.
  static Schedule oneForwardOneBackward(int layers, int stages, double share, int depth) {
    var calls = new ArrayList<Call>();
    for (int i = 0; i < layers; i++) {
      calls.add(new Call(1, "AllReduce", 2_097_152));
    }
    calls.add(new Call(2, "ReduceScatter", 6_553_600, -1, 1, true));
    calls.add(new Call(0, "AllReduce", 1, -1, 1, true));
    calls.add(new Call(2, "AllGather", 6_553_600, -1, 1, true));
    return new Schedule(
        "1F1B, %d stages, %d layers".formatted(stages, layers),
        calls,
        List.of(Span.WORLD, Span.PODS, Span.STAGES, Span.PIPES),
        true,
        depth,
        1,
        // backwards takes about twice as long as forwards
        new Pipeline(stages, share, 2 * share));
  }

  /// Experts: tokens go to their experts' ranks and back in each layer, gradients over the world.
  static Schedule experts(int layers, boolean overPods, boolean blocking, int depth) {
    var calls = new ArrayList<Call>();
    for (int i = 0; i < layers; i++) {
      calls.add(new Call(1, "AlltoAll", 262_144));
      calls.add(new Call(1, "AlltoAll", 262_144));
    }
    calls.add(new Call(0, "AllReduce", 6_553_600));
    return new Schedule(
        "MoE, " + layers + " layers",
        calls,
        List.of(Span.WORLD, overPods ? Span.PLACES : Span.PODS),
        blocking,
        depth,
        1,
        Pipeline.NONE);
  }

  /// Two programs in one job, such as a trainer and samplers of reinforcement learning: each has
  /// its own collectives, and now and then the weights go from one to the other.
  static Schedule programs(int layers, int every, int depth) {
    var calls = new ArrayList<Call>();
    for (int i = 0; i < layers; i++) {
      calls.add(new Call(1, "ReduceScatter", 4_194_304, 0, 1, false));
      calls.add(new Call(1, "AllGather", 4_194_304, 0, 1, false));
      calls.add(new Call(1, "AllReduce", 65_536, 1, 1, false));
    }
    calls.add(new Call(0, "Broadcast", 52_428_800, -1, every, false));
    return new Schedule(
        "two programs, weights every " + every,
        calls,
        List.of(Span.WORLD, Span.PROGRAMS),
        true,
        depth,
        1,
        Pipeline.NONE);
  }
}
