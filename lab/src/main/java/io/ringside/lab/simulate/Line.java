package io.ringside.lab.simulate;

/// A line before it reaches its log.
///
/// @param at seconds of true time since the job's begin
/// @param pid of the process that writes it
record Line(double at, int pid, Kind kind, String text) {

  /// Who writes it: NCCL's lines go through C stdio and may carry NCCL's own stamps.
  enum Kind {
    NCCL,
    NCCL_WARN,
    OTHER
  }
}
