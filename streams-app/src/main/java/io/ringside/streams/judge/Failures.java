package io.ringside.streams.judge;

/// Hears of each part of a judgement that failed: Ringside's own fault, whatever the lines said.
/// Called by many threads.
@FunctionalInterface
public interface Failures {
  /// @param what the detector, such as `straggler`; `run` for the examination, `causes` for what
  ///   explains what
  /// @param job by name
  void failed(String what, String job, RuntimeException cause);
}
