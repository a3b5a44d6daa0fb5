package io.ringside.lab.simulate;

/// What is wrong with Ringside's own eyes.
public sealed interface TelemetryFault extends Fault {

  /// nvidia-smi says nothing for a while.
  ///
  /// @param fromSecond of the training
  record SensorStall(int node, double fromSecond, double seconds) implements TelemetryFault {}

  /// Lines of a pod are gone before its agent reads them.
  ///
  /// @param fromSecond of the training
  record LostLines(int pod, double fromSecond, double seconds) implements TelemetryFault {}

  /// NCCL prints lines of a form that no release up to now has.
  ///
  /// @param share of the job's NCCL lines, about
  record UnknownLines(double share) implements TelemetryFault {}
}
