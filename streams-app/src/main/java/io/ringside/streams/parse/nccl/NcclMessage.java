package io.ringside.streams.parse.nccl;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.EventSink;
import io.ringside.streams.parse.event.LineEvent;
import io.ringside.streams.parse.event.LineOrigin;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.NcclHead;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.Cursor;
import io.ringside.streams.parse.scan.Wrappers;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The message of one NCCL line, and the way to emit its events. One object serves all lines of a
/// text: [#begin] takes up a message once a family has claimed it by its first words.
final class NcclMessage extends Cursor {
  /// Stands for the colon after the host in a line whose header was cut away.
  static final int NO_HOST = -1;

  private static final Pattern NOTE =
      Pattern.compile("(?: {2,}|\\t)(?:#|//|<[-=]|[←⬅]).*$| (?:# |<-{1,9} |<={1,9} |[←⬅]).*$");

  private final RecentHeader recent;
  private final RecentTransport transport;
  private int lineStart;
  private int messageStart;
  private int hostEnd;
  private EventSink sink = (head, event, start, end) -> {};
  private @Nullable NcclHead head;
  private int hostStart;
  private boolean emitted;

  /// Holds no message yet.
  ///
  /// @param recent the header with which a line may begin
  NcclMessage(Text text, RecentHeader recent) {
    super(text);
    this.recent = recent;
    this.transport = new RecentTransport(text);
  }

  /// Takes up a message.
  ///
  /// @param lineStart first index where the host may begin
  /// @param hostEnd index of the colon after the host, or [#NO_HOST]
  /// @param from first char of the message
  /// @param sink receives its events
  NcclMessage begin(int lineStart, int hostEnd, int from, int end, EventSink sink) {
    range(from, end);
    this.lineStart = lineStart;
    this.messageStart = from;
    this.hostEnd = hostEnd;
    this.sink = sink;
    this.head = null;
    this.emitted = false;
    return this;
  }

  /// Emits an event, with its head and the span from the host to the end of the line.
  ///
  /// @return true, for readers to return
  boolean emit(LineEvent event) {
    emitted = true;
    if (hostEnd == NO_HOST) {
      emitWithoutHead(event);
    } else if (recent.is(lineStart)) {
      sink.event(recent.head(), event, lineStart, end());
    } else {
      emitWithOwnHead(event);
    }
    return true;
  }

  /// Whether the message emitted an event: a reader may accept a message that carries nothing of
  /// use.
  boolean emitted() {
    return emitted;
  }

  private void emitWithoutHead(LineEvent event) {
    var origin = Wrappers.origin(text(), lineStart, messageStart);
    if (!origin.equals(LineOrigin.NONE)) {
      sink.event(NcclHead.CUT_AWAY, origin, lineStart, lineStart);
    }
    sink.event(NcclHead.CUT_AWAY, event, lineStart, end());
  }

  private void emitWithOwnHead(LineEvent event) {
    var known = head;
    if (known == null) {
      hostStart = NcclHeader.hostStart(text(), lineStart, hostEnd);
      known = NcclHeader.read(text(), lineStart, hostStart, hostEnd);
      head = known;
      var origin = origin();
      if (!origin.equals(LineOrigin.NONE)) {
        sink.event(known, origin, lineStart, hostStart);
      }
    }
    // "NCCL INFO-0:4792:4792 [3] NCCL INFO": the host is a rest of two lines
    var glued = hostStart >= 5 && Chars.at(text(), hostStart - 5, hostEnd, "NCCL ");
    sink.event(known, glued ? new NcclEvent.Spliced() : event, hostStart, end());
  }

  /// Rank and time from the wrappers in front of the host and its stamp.
  private LineOrigin origin() {
    if (hostStart == lineStart) {
      return LineOrigin.NONE;
    }
    var stamp = NcclStamp.start(text(), lineStart, hostStart);
    return Wrappers.origin(text(), lineStart, stamp < 0 ? hostStart : stamp);
  }

  /// The rest of the message without a note that somebody added: ` # no RDMA device here`,
  /// ` ← TCP`.
  String restWithoutNote() {
    var rest = rest();
    if (rest.indexOf(' ') < 0 && rest.indexOf('\t') < 0) {
      return rest; // most values are one word
    }
    var note = NOTE.matcher(rest);
    return note.find() ? rest.substring(0, note.start()) : rest;
  }

  /// The transport of the last edge.
  RecentTransport recentTransport() {
    return transport;
  }
}
