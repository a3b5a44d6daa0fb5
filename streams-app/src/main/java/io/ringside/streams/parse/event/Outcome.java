package io.ringside.streams.parse.event;

/// What became of a line.
public enum Outcome {
  /// At least one event was handed to the sink.
  EVENTS,
  /// The line is NCCL's, known, and carries nothing that anybody uses.
  IGNORED,
  /// The line has an NCCL header but no family knows the message; its shape is worth counting.
  UNKNOWN_NCCL,
  /// A known line of another program that carries nothing that anybody uses.
  IGNORED_OTHER,
  /// Not a line of a family that is read here.
  FOREIGN
}
