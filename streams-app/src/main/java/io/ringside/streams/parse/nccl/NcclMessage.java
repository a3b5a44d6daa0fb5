package io.ringside.streams.parse.nccl;

import io.ringside.streams.parse.event.EventSink;
import io.ringside.streams.parse.event.LineEvent;
import io.ringside.streams.parse.event.NcclHead;
import io.ringside.streams.parse.scan.Cursor;
import io.ringside.streams.parse.scan.Wrappers;
import org.jspecify.annotations.Nullable;

/// The message of one NCCL line, with the way to say what it means. Made only for messages that a family
/// has claimed by their first words.
final class NcclMessage extends Cursor {

  private final int lineStart;
  private final int host;
  private final int keyword;
  private final EventSink sink;
  private @Nullable NcclHead head;

  NcclMessage(
      String text, int lineStart, int host, int keyword, int from, int end, EventSink sink) {
    super(text, from, end);
    this.lineStart = lineStart;
    this.host = host;
    this.keyword = keyword;
    this.sink = sink;
  }

  /// Hands an event over, with its head and the span from the host to the end of the line.
  ///
  /// @return true, for handlers to return
  boolean emit(LineEvent event) {
    var known = head;
    if (known == null) {
      known = NcclHeader.read(text(), lineStart, host, keyword);
      head = known;
      var hint = Wrappers.hint(text(), lineStart, host);
      if (hint != null) {
        sink.event(known, hint, lineStart, host);
      }
    }
    sink.event(known, event, host, end());
    return true;
  }

  /// What stands between the bracket and NCCL: `init.cc:126`, `init.cc:126 (ncclCommInit)`, a C++ signature.
  String location() {
    var from = NcclHeader.bracketEnd(text(), host, keyword);
    return text().substring(from, Math.max(from, keyword)).strip();
  }
}
