package io.ringside.lab.simulate;

import java.util.ArrayList;
import java.util.List;

/// Which collectives a training step calls, in which order.
///
/// @param name in words
/// @param calls of one step
/// @param split how the second communicator is made of the first
/// @param blocking whether the program waits for its GPU before the first call of a step, so that a slow
///     GPU shows in arrival times
/// @param depth how many calls a rank may be ahead of the GPU
public record Schedule(String name, List<Call> calls, Split split, boolean blocking, int depth) {

  public Schedule {
    calls = List.copyOf(calls);
  }

  /// One call.
  ///
  /// @param comm 0 for the first communicator, which is the world but for groups alone; 1 for the second
  public record Call(int comm, String op, long count) {}

  /// How the second communicator is made.
  public enum Split {
    NONE,
    /// Of all ranks, as DeepSpeed does.
    ALL,
    /// One for each pod's ranks, as tensor parallelism does.
    PODS,
    /// There is no world at all: the first one is of each pod's ranks, a stage of a pipeline; the second one
    /// joins the stages, by the ranks' places in their pods.
    STAGES
  }

  /// Whether the first communicator is one of some ranks only.
  boolean groupsOnly() {
    return split == Split.STAGES;
  }

  /// The loop of the recordings: three calls together, then the program waits.
  public static Schedule recorded() {
    return new Schedule(
        "three calls",
        List.of(
            new Call(0, "ReduceScatter", 4_194_304),
            new Call(0, "AllGather", 4_194_304),
            new Call(0, "AllReduce", 1024)),
        Split.NONE,
        true,
        8);
  }

  /// Gradient buckets of unlike sizes.
  public static Schedule ddp(int buckets, boolean blocking, int depth) {
    var calls = new ArrayList<Call>();
    for (int i = 0; i < buckets; i++) {
      calls.add(new Call(0, "AllReduce", i == 0 ? 262_144 : 6_553_600 + 1024L * i));
    }
    return new Schedule("DDP, " + buckets + " buckets", calls, Split.NONE, blocking, depth);
  }

  /// Layers gathered one by one forwards and backwards over the split, gradients over the world.
  public static Schedule zero(int layers, boolean blocking, int depth) {
    var calls = new ArrayList<Call>();
    for (int i = 0; i < 2 * layers; i++) {
      calls.add(new Call(1, "AllGather", 524_288L * (1 + i % 3)));
      if (i >= layers) {
        calls.add(new Call(0, "ReduceScatter", 524_288L * (1 + i % 3)));
      }
    }
    calls.add(new Call(0, "AllReduce", 1));
    return new Schedule("ZeRO, " + layers + " layers", calls, Split.ALL, blocking, depth);
  }

  /// Tensor parallelism within pods, gradients over the world.
  public static Schedule tensorParallel(int layers, int depth) {
    var calls = new ArrayList<Call>();
    for (int i = 0; i < layers; i++) {
      calls.add(new Call(1, "AllReduce", 2_097_152));
    }
    calls.add(new Call(0, "AllReduce", 13_107_200));
    return new Schedule("tensor parallel, " + layers + " layers", calls, Split.PODS, true, depth);
  }

  /// A pipeline of tensor parallel stages, a pod each, that use no communicator of all ranks.
  public static Schedule pipeline(int layers, int depth) {
    var calls = new ArrayList<Call>();
    for (int i = 0; i < layers; i++) {
      calls.add(new Call(0, "AllReduce", 2_097_152));
    }
    calls.add(new Call(0, "AllGather", 524_288));
    return new Schedule(
        "pipeline, " + layers + " layers a stage", calls, Split.STAGES, true, depth);
  }
}
