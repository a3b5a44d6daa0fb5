package io.ringside.streams.parse;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.EventSink;
import io.ringside.streams.parse.event.Outcome;
import io.ringside.streams.parse.nccl.NcclLines;
import io.ringside.streams.parse.scan.Escapes;
import io.ringside.streams.parse.scan.LineProbe;
import io.ringside.streams.parse.scan.Suffixes;

/// Reads the lines of one text, such as a chunk. Knows the lines of NCCL and its plugins, PyTorch,
/// DeepSpeed, Trainer, Megatron, nccl-tests, the NCCL Inspector and others, also after prefixes of
/// any launcher, runtime and collector. Never throws, whatever the text. Allocates nothing for a
/// line that has neither events nor colours. The result for a line depends on that line alone: the
/// parser only remembers where the last header stood, because most lines begin like the one before.
/// Not thread-safe, cheap to make.
public final class LineParser {
  private final Text text;
  private final LineProbe glance = new LineProbe();
  private final NcclLines nccl;
  private final TextLines others;

  public LineParser(Text text) {
    this.text = text;
    this.nccl = new NcclLines(text);
    this.others = new TextLines(text);
  }

  /// Finds the end of the line that begins here: its line feed, or the end of the text. What this
  /// method sees on the way makes [#parse] of the same line cheaper.
  public int lineEnd(int start) {
    return glance.over(text, start, start + nccl.knownHeader(start, text.length()), text.length());
  }

  /// Reads a line and hands its events to the sink.
  ///
  /// @param start first byte of the line
  /// @param end end (exclusive) of the line, without its line feed
  /// @param sink receives the events, in the order of the text
  public Outcome parse(int start, int end, EventSink sink) {
    if (!glance.is(start, end)) {
      glance.within(text, start, start + nccl.knownHeader(start, end), end);
    }
    if (glance.holdsEscape()) {
      return coloured(start, end, sink);
    }
    var to = Suffixes.trim(text, start, end);
    var outcome = nccl.read(start, to, glance, sink);
    return outcome == Outcome.FOREIGN ? others.read(start, to, glance, sink) : outcome;
  }

  /// Reads a copy of the line without colours. The spans of its events are those of the original
  /// line.
  private Outcome coloured(int start, int end, EventSink sink) {
    var plain = Escapes.without(text, start, end);
    var from = plain.from();
    return new LineParser(plain.text())
        .parse(
            0,
            plain.text().length(),
            (head, event, first, last) -> sink.event(head, event, from[first], from[last]));
  }
}
