package io.ringside.streams.parse.event;

/// What became of a line.
public enum Outcome {
  /// At least one event was handed to the sink.
  EVENTS,
  /// A known line of NCCL that carries no fact of use.
  IGNORED,
  /// The line has an NCCL header but no family knows the message; its shape is worth counting.
  UNKNOWN_NCCL,
  /// A known line of another program that carries no fact of use.
  IGNORED_OTHER,
  /// The line belongs to no family that is read here.
  FOREIGN
}
