package io.ringside.lab.simulate;

/// What is wrong with a run of nccl-tests.
public sealed interface BenchFault extends Fault {

  /// The links carry less than a healthy machine's.
  ///
  /// @param share of what a healthy one reaches
  record LowBandwidth(double share) implements BenchFault {}

  /// Some elements come out wrong.
  record WrongResults(int elements) implements BenchFault {}
}
