package io.ringside.streams.fact;

import io.ringside.schemas.event.LogSource;
import java.util.List;

/// What the kernel of a node logged about GPUs that a job holds, or about the switches between
/// them.
///
/// @param source the node's kernel
public record KernelFacts(LogSource source, List<Placed> lines) implements JobInput {
  public KernelFacts {
    lines = List.copyOf(lines);
  }

  /// A line with the process that held the GPU at that time.
  ///
  /// @param process ID of the process, see {@link Writer}; empty for a line about the whole node
  public record Placed(String process, Fact line) {}
}
