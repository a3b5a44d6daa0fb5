package io.ringside.streams.parse;

import io.ringside.streams.parse.event.EventSink;
import io.ringside.streams.parse.event.Outcome;
import io.ringside.streams.parse.nccl.NcclLines;

/// Reads one line of a training job's log: NCCL and its plugins, PyTorch, DeepSpeed, Trainer, Megatron, nccl-tests,
/// inspector. Stateless and thread-safe; never throws, whatever the text; allocates nothing for a line without an event.
public final class LineParser {

  /// Reads a line and hands its events to the sink.
  ///
  /// @param text the text that holds the line, such as a whole chunk
  /// @param start first char of the line
  /// @param end end (exclusive) of the line, without its line feed
  /// @param sink receives the events, in the order of the text
  public Outcome parse(String text, int start, int end, EventSink sink) {
    var outcome = NcclLines.read(text, start, end, sink);
    return outcome == Outcome.FOREIGN ? TextLines.read(text, start, end, sink) : outcome;
  }
}
