package io.ringside.lab.simulate;

/// What makes healthy ranks differ.
///
/// @param jitter share by which a rank's work of one step varies, 0 to 0.4
/// @param imbalance share by which a rank is always slower than another, 0 to 0.02
/// @param tail share of a step by which now and then a rank's batch takes longer: exponential, no upper bound
/// @param collectEvery steps between two garbage collections of a rank, each rank at its own time, 0 for none
/// @param collectSeconds how long one takes
/// @param pausesPerStep how likely a rank pauses in a step (garbage collection, page cache), 0 to 1
/// @param loaderPerStep how likely a whole node waits for its data in a step
/// @param checkpointEvery steps between checkpoints, 0 for none
/// @param checkpointSeconds how long all pause for one
/// @param checkpointRank0Seconds by how much rank 0 takes longer
/// @param evaluateEvery steps between evaluations, 0 for none
/// @param evaluateSeconds how long one takes
/// @param rank0LogSeconds what rank 0 spends on logging every tenth step
/// @param skewSeconds largest error of a node's clock
/// @param driftPerSecond largest drift of a node's clock
/// @param chatter foreign lines a step and pod
/// @param strangers how often in a run a port scanner or health check speaks to one of NCCL's ports
public record Noise(
    double jitter,
    double imbalance,
    double tail,
    int collectEvery,
    double collectSeconds,
    double pausesPerStep,
    double loaderPerStep,
    int checkpointEvery,
    double checkpointSeconds,
    double checkpointRank0Seconds,
    int evaluateEvery,
    double evaluateSeconds,
    double rank0LogSeconds,
    double skewSeconds,
    double driftPerSecond,
    double chatter,
    int strangers) {

  /// A quiet job.
  public static final Noise NONE = new Noise(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
