package io.ringside.lab.simulate;

import java.util.ArrayList;
import java.util.List;

/// Which collectives a training step calls, in which order, and how far programs run ahead.
///
/// @param name in words
/// @param calls of one step
/// @param comms the communicators: the first one is the world where there is one
/// @param blocking whether the program waits for its GPU before the first call of a step, so that a
///     slow GPU shows in arrival times
/// @param depth how many calls a rank may be ahead of the GPU
/// @param syncEvery steps between two moments at which the program waits for its GPU, as for a loss
///   to print
/// @param pipeline how stages of pods follow each other in a step
public record Schedule(
    String name,
    List<Call> calls,
    List<Span> comms,
    boolean blocking,
    int depth,
    int syncEvery,
    Pipeline pipeline) {

  public Schedule {
    calls = List.copyOf(calls);
    comms = List.copyOf(comms);
  }

  private Schedule(String name, List<Call> calls, List<Span> comms, boolean blocking, int depth) {
    this(name, calls, comms, blocking, depth, 1, Pipeline.NONE);
  }

  /// One call.
  ///
  /// @param comm index of its communicator
  /// @param group only that group of the communicator makes it, -1 for all
  /// @param every in each how many steps
  /// @param drained whether a pipeline's gradients are back before it
  public record Call(int comm, String op, long count, int group, int every, boolean drained) {
    Call(int comm, String op, long count) {
      this(comm, op, count, -1, 1, false);
    }

    boolean due(int step) {
      return every == 1 || step % every == every - 1;
    }
  }

  /// Whom a communicator joins.
  public enum Span {
    /// All ranks.
    WORLD,
    /// All ranks once more, as DeepSpeed does.
    AGAIN,
    /// The ranks of each pod: tensor parallelism.
    PODS,
    /// The ranks of the same place in their pods: data parallelism beside tensor parallelism, or a
    /// pipeline of pods.
    PLACES,
    /// The ranks of the same place in the pods of one stage.
    STAGES,
    /// The ranks of the same place in the stages: what a pipeline sends and receives.
    PIPES,
    /// Two programs in one job, each with half of the pods, or of the ranks of a single pod.
    PROGRAMS
  }

  /// How stages follow each other.
  ///
  /// @param stages 1 for no pipeline
  /// @param fill by which share of a step each stage begins after the one before it
  /// @param drain by which share of a step each stage ends before the one before it
  public record Pipeline(int stages, double fill, double drain) {
    static final Pipeline NONE = new Pipeline(1, 0, 0);
  }

  /// Whether the first communicator is one of some ranks only.
  boolean groupsOnly() {
    return comms.getFirst() != Span.WORLD;
  }

  /// Whether all collectives join all ranks.
  boolean worldOnly() {
    return comms.stream().allMatch(span -> span == Span.WORLD || span == Span.AGAIN);
  }

  /// The communicator over which stages send and receive, -1 without one.
  int pipes() {
    return groupsOnly() ? 1 : comms.indexOf(Span.PIPES);
  }

  /// The same with programs that run ahead.
  ///
  /// @param steps between two waits for the GPU
  Schedule ahead(int steps) {
    return new Schedule(
        name + ", runs ahead", calls, comms, false, 3 * calls.size() + 1, steps, pipeline);
  }

  /// The loop of the recordings: three calls together, then the program waits.
  public static Schedule recorded() {
    return new Schedule(
        "three calls",
        List.of(
            new Call(0, "ReduceScatter", 4_194_304),
            new Call(0, "AllGather", 4_194_304),
            new Call(0, "AllReduce", 1024)),
        List.of(Span.WORLD),
        true,
        8);
  }

  /// Gradient buckets of unlike sizes.
  public static Schedule ddp(int buckets, boolean blocking, int depth) {
    var calls = new ArrayList<Call>();
    for (int i = 0; i < buckets; i++) {
      calls.add(new Call(0, "AllReduce", i == 0 ? 262_144 : 6_553_600 + 1024L * i));
    }
    return new Schedule(
        "DDP, " + buckets + " buckets", calls, List.of(Span.WORLD), blocking, depth);
  }

  /// Layers gathered one by one forwards and backwards over the second communicator, gradients over
  /// the world.
  public static Schedule zero(int layers, boolean blocking, int depth) {
    var calls = new ArrayList<Call>();
    for (int i = 0; i < 2 * layers; i++) {
      calls.add(new Call(1, "AllGather", 524_288L * (1 + i % 3)));
      if (i >= layers) {
        calls.add(new Call(0, "ReduceScatter", 524_288L * (1 + i % 3)));
      }
    }
    calls.add(new Call(0, "AllReduce", 1));
    return new Schedule(
        "ZeRO, " + layers + " layers", calls, List.of(Span.WORLD, Span.AGAIN), blocking, depth);
  }

  /// Tensor parallelism within pods, gradients over the world.
  public static Schedule tensorParallel(int layers, int depth) {
    var calls = new ArrayList<Call>();
    for (int i = 0; i < layers; i++) {
      calls.add(new Call(1, "AllReduce", 2_097_152));
    }
    calls.add(new Call(0, "AllReduce", 13_107_200));
    return new Schedule(
        "tensor parallel, " + layers + " layers",
        calls,
        List.of(Span.WORLD, Span.PODS),
        true,
        depth);
  }

  /// A pipeline of tensor parallel stages, a pod each, that use no communicator of all ranks.
  public static Schedule pipeline(int layers, int depth) {
    var calls = new ArrayList<Call>();
    for (int i = 0; i < layers; i++) {
      calls.add(new Call(0, "AllReduce", 2_097_152));
    }
    calls.add(new Call(0, "AllGather", 524_288));
    return new Schedule(
        "pipeline, " + layers + " layers a stage",
        calls,
        List.of(Span.PODS, Span.PLACES),
        true,
        depth,
        1,
        new Pipeline(Integer.MAX_VALUE, 0.1, 0));
  }
}
