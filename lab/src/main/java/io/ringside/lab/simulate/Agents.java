package io.ringside.lab.simulate;

/// How much of a job its nodes' agents see.
///
/// @param podsWithLogs how many pods have an agent that sends logs, in the order of their ranks
/// @param topologyKnown whether agents tell their node's topology
/// @param sampleSeconds time between two GPU samples, 0 for none
/// @param reportSeconds time between two reports of an agent about itself, 0 for none
/// @param witnesses whether all others than logs and GPUs are asked as well, see
///   {@link WitnessTrace}
public record Agents(
    int podsWithLogs,
    boolean topologyKnown,
    int sampleSeconds,
    int reportSeconds,
    boolean witnesses) {

  /// Agents that ask no further witness.
  public Agents(int podsWithLogs, boolean topologyKnown, int sampleSeconds, int reportSeconds) {
    this(podsWithLogs, topologyKnown, sampleSeconds, reportSeconds, false);
  }
}
