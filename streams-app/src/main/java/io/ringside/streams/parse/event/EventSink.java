package io.ringside.streams.parse.event;

import org.jspecify.annotations.Nullable;

/// Receives the events of a line, in the order of the text.
@FunctionalInterface
public interface EventSink {

  /// @param head NCCL's own prefix, or null for lines that have none
  /// @param event the fact
  /// @param start first char of its source within the parsed text
  /// @param end end (exclusive) of its source within the parsed text
  void event(@Nullable NcclHead head, LineEvent event, int start, int end);
}
