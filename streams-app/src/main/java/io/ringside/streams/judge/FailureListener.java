package io.ringside.streams.judge;

/// Receives each failure of a part of a judgement. Such a failure is Ringside's own fault, whatever
/// the lines contain. Called by many threads.
@FunctionalInterface
public interface FailureListener {
  /// @param what the detector, such as `straggler`; `run` for the examination, `causes` for the
  ///   correlation of findings
  /// @param job name of the job
  void failed(String what, String job, RuntimeException cause);
}
