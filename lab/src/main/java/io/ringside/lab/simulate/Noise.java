package io.ringside.lab.simulate;

import java.util.StringJoiner;

/// What makes healthy ranks differ. Each field is one assumption that a mutation can change alone.
///
/// @param chatter foreign lines a step and pod
/// @param strangers how often in a run a port scanner or health check speaks to one of NCCL's ports
public record Noise(
    Unevenness unevenness,
    Pauses pauses,
    Duties duties,
    Clocks clocks,
    double chatter,
    int strangers) {

  /// What may be mistaken for a fault, in words.
  String words() {
    var words = new StringJoiner(", ");
    words.add("jitter %.3f, imbalance %.3f".formatted(unevenness.jitter(), unevenness.imbalance()));
    if (unevenness.tail() > 0) {
      words.add("tail %.4f by %.2f".formatted(unevenness.tail(), unevenness.tailShare()));
    }
    if (unevenness.held() > 0) {
      words.add(
          "held %.4f by %.3f for %d steps"
              .formatted(unevenness.held(), unevenness.heldShare(), unevenness.heldSteps()));
    }
    if (pauses.collectEvery() > 0) {
      words.add(
          "collects %.2f s each %d".formatted(pauses.collectSeconds(), pauses.collectEvery()));
    }
    if (duties.checkpointEvery() > 0) {
      words.add(
          "checkpoint %.1f + %.1f s alone each %d"
              .formatted(
                  duties.checkpointSeconds(), duties.checkpointAlone(), duties.checkpointEvery()));
    }
    if (duties.evaluateEvery() > 0) {
      words.add(
          "evaluates %.1f + %.1f s alone each %d"
              .formatted(duties.evaluateSeconds(), duties.evaluateAlone(), duties.evaluateEvery()));
    }
    if (duties.logEvery() > 0) {
      words.add("rank 0 logs %.3f s each %d".formatted(duties.logSeconds(), duties.logEvery()));
    }
    if (clocks.steps() > 0) {
      words.add("clock set %d times by %.2f s".formatted(clocks.steps(), clocks.stepSeconds()));
    }
    if (clocks.strays() > 0) {
      words.add(clocks.strays() + " stray lines");
    }
    return words.toString();
  }

  /// A quiet job.
  public static final Noise NONE =
      new Noise(Unevenness.NONE, Pauses.NONE, Duties.NONE, Clocks.NONE, 0, 0);

  /// How the work of ranks and steps differs because the data do.
  ///
  /// @param jitter spread (sigma of the logarithm) of a rank's work of one step, each step anew
  /// @param imbalance share by which the slowest rank's shard is larger than the smallest one's,
  ///   for the whole run
  /// @param tail how likely a rank's batch takes much longer than the others
  /// @param tailShare by which share of a step it does, at least: a Pareto tail above
  /// @param tailExponent of that tail: the smaller, the heavier
  /// @param held how likely a rank begins, in a step, a stretch of data that takes longer
  /// @param heldShare by which share of a step
  /// @param heldSteps how long a stretch is at most; 10 steps at least
  public record Unevenness(
      double jitter,
      double imbalance,
      double tail,
      double tailShare,
      double tailExponent,
      double held,
      double heldShare,
      int heldSteps) {
    static final Unevenness NONE = new Unevenness(0, 0, 0, 0, 3, 0, 0, 10);
  }

  /// What stops a program now and then.
  ///
  /// @param collectEvery steps between two garbage collections of a rank, each rank at its own
  ///   time, 0 for none
  /// @param collectSeconds how long one takes
  /// @param perStep how likely a rank pauses in a step: page cache, allocator, the kernel's
  ///   housekeeping
  /// @param seconds median of such a pause
  /// @param loaderPerStep how likely a whole node waits for its data in a step
  /// @param loaderSeconds median of such a wait
  public record Pauses(
      int collectEvery,
      double collectSeconds,
      double perStep,
      double seconds,
      double loaderPerStep,
      double loaderSeconds) {
    static final Pauses NONE = new Pauses(0, 0, 0, 0, 0, 0);
  }

  /// What a job does beside its steps, and what rank 0 does alone while the others wait for it.
  ///
  /// @param checkpointEvery steps between checkpoints, 0 for none
  /// @param checkpointSeconds how long all pause for one
  /// @param checkpointAlone by how much rank 0 takes longer: it alone gathers and writes
  /// @param evaluateEvery steps between evaluations, 0 for none
  /// @param evaluateSeconds how long all are in one
  /// @param evaluateAlone by how much rank 0 takes longer: it alone generates samples and scores
  ///   them
  /// @param logEvery steps between two lines of metrics, 0 for none
  /// @param logSeconds what rank 0 spends on them
  public record Duties(
      int checkpointEvery,
      double checkpointSeconds,
      double checkpointAlone,
      int evaluateEvery,
      double evaluateSeconds,
      double evaluateAlone,
      int logEvery,
      double logSeconds) {
    static final Duties NONE = new Duties(0, 0, 0, 0, 0, 0, 0, 0);
  }

  /// How wrong nodes' clocks are.
  ///
  /// @param skew largest error at the begin, seconds
  /// @param drift largest gain a second
  /// @param steps how often in a run one node's clock is set
  /// @param stepSeconds by how much, forwards or backwards
  /// @param strays how many lines of a run carry a time that is minutes ahead
  public record Clocks(double skew, double drift, int steps, double stepSeconds, int strays) {
    static final Clocks NONE = new Clocks(0, 0, 0, 0, 0);
  }
}
