package io.ringside.streams.parse;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.EventSink;
import io.ringside.streams.parse.event.Outcome;
import io.ringside.streams.parse.nccl.NcclLines;
import io.ringside.streams.parse.nccl.RecentHeader;

/// Reads the lines of one text, such as a chunk: NCCL and its plugins, PyTorch, DeepSpeed, Trainer, Megatron, nccl-tests,
/// inspector. Never throws, whatever the text; allocates nothing for a line without an event. What it makes of a line
/// depends on that line alone: all it remembers is where the last header stood, since most lines begin like the one
/// before. Not thread-safe, cheap to make.
public final class LineParser {
  private final Text text;
  private final RecentHeader recent = new RecentHeader();

  public LineParser(Text text) {
    this.text = text;
  }

  /// Reads a line and hands its events to the sink.
  ///
  /// @param start first byte of the line
  /// @param end end (exclusive) of the line, without its line feed
  /// @param sink receives the events, in the order of the text
  public Outcome parse(int start, int end, EventSink sink) {
    var outcome = NcclLines.read(text, start, end, recent, sink);
    return outcome == Outcome.FOREIGN ? TextLines.read(text, start, end, sink) : outcome;
  }
}
