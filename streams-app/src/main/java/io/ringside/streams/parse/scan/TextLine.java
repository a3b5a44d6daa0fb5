package io.ringside.streams.parse.scan;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.EventSink;
import io.ringside.streams.parse.event.LineEvent;
import io.ringside.streams.parse.event.LineOrigin;
import io.ringside.streams.parse.event.NcclHead;
import org.jspecify.annotations.Nullable;

/// The message of a line without an NCCL header, with the values of its prefix and the way to emit
/// events. One object serves all lines of a text: [#message] takes up a message once a family has
/// claimed it.
public final class TextLine extends Cursor {

  private static final int LONGEST_PREFIX = 200;

  /// In bytes: `F file.cc:7] `.
  private static final int SHORTEST_FATAL = 10;

  private int lineStart;
  private int messageStart;
  private EventSink sink = (head, event, start, end) -> {};
  private int wrapped;
  private boolean told;
  private @Nullable LineOrigin origin;

  /// Holds no line yet.
  public TextLine(Text text) {
    super(text);
  }

  /// Takes up a message.
  ///
  /// @param lineStart where its line begins
  /// @param wrapped first byte after the wrappers there: of the logger's prefix, or of the message
  /// @param from first byte of the message
  /// @param sink receives its events
  public TextLine message(int lineStart, int wrapped, int from, int end, EventSink sink) {
    range(from, end);
    this.lineStart = lineStart;
    this.messageStart = from;
    this.wrapped = wrapped;
    this.told = wrapped == lineStart;
    this.origin = null;
    this.sink = sink;
    return this;
  }

  /// Emits an event. Before the first event, the rank and time of the wrappers are emitted.
  ///
  /// @return true, for readers to return
  public boolean emit(LineEvent event) {
    return emit(event, lineStart, end());
  }

  /// Emits an event of a process.
  public boolean emit(@Nullable NcclHead head, LineEvent event) {
    return emit(head, event, lineStart, end());
  }

  /// Emits an event that only a part of the line shows.
  ///
  /// @param from first byte of that part
  /// @param to end (exclusive) of it
  public boolean emit(LineEvent event, int from, int to) {
    return emit(null, event, from, to);
  }

  private boolean emit(@Nullable NcclHead head, LineEvent event, int from, int to) {
    if (!told) {
      told = true;
      if (!origin().equals(LineOrigin.NONE)) {
        sink.event(head, origin(), lineStart, wrapped);
      }
    }
    sink.event(head, event, from, to);
    return true;
  }

  private LineOrigin origin() {
    var known = origin;
    if (known == null) {
      known = wrapped > lineStart ? Wrappers.origin(text(), lineStart, wrapped) : LineOrigin.NONE;
      origin = known;
    }
    return known;
  }

  /// The global rank of `[rank3]:`, else the rank in `[PG … Rank 3]` or `[Rank 3]`, else the
  /// launcher's number, else -1.
  public int rank() {
    if (origin().rank() >= 0) {
      return origin().rank();
    }
    var inPrefix = rankInPrefix();
    return inPrefix >= 0 ? inPrefix : origin().task();
  }

  /// Whether the prefix is one of glog, PyTorch or TensorFlow with the severity `F`, after which
  /// the process ends: `F1120 10:03:11.889911 4471 file.cc:613] `, `[F1120 …] `,
  /// `2026-11-20 10:03:11.889911: F …/file.cc:613] `. False where PyTorch's watchdog ends its
  /// process: earlier lines already gave the reason, and this one adds nothing.
  public boolean fatal() {
    var at = Chars.skipBlanks(text(), wrapped, messageStart);
    if (messageStart - at < SHORTEST_FATAL
        || Chars.find(text(), at, messageStart, "ProcessGroup") >= 0) {
      return false;
    }
    var c = text().charAt(at);
    return c == 'F' && Prefixes.isGlog(text(), at, end())
        || c == 'F' && text().charAt(at + 1) == ' '
        || c == '[' && text().charAt(at + 1) == 'F' && Prefixes.isGlogBracket(text(), at, end())
        || Chars.isDigit(c)
            && DateTime.isAt(text(), at, messageStart)
            && Chars.at(text(), DateTime.fractionEnd(text(), at, messageStart), end(), ": F ");
  }

  private int rankInPrefix() {
    for (var at = messageStart - 1; at > lineStart + 5; at--) {
      if (text().charAt(at) == ']') {
        var digits = at;
        while (digits > lineStart && Chars.isDigit(text().charAt(digits - 1))) {
          digits--;
        }
        if (digits < at
            && digits - 5 >= lineStart
            && (text().startsWith("Rank ", digits - 5) || text().startsWith("rank ", digits - 5))) {
          return Chars.smallDigits(text(), digits, at);
        }
      }
    }
    return -1;
  }

  /// The text in front of a row or a rule of a table; empty if it is too long for a prefix.
  public String beforeTable() {
    var limit = Math.min(end(), lineStart + LONGEST_PREFIX);
    var at = Chars.find(text(), lineStart, limit, '|');
    at = at < 0 ? Chars.find(text(), lineStart, limit, '+') : at;
    return at < 0 ? "" : text().substring(lineStart, at);
  }

  /// The number of the process group in `[PG ID 0 PG GUID 3(desc) Rank 1]`, `3`; empty if there is
  /// no group.
  public String group() {
    var at = Chars.find(text(), lineStart, messageStart, " PG GUID ");
    if (at < 0) {
      return "";
    }
    var from = at + " PG GUID ".length();
    var to = from;
    while (to < messageStart && text().charAt(to) != '(' && text().charAt(to) != ' ') {
      to++;
    }
    return text().substring(from, to);
  }

  /// The program's name for that group, `desc`; empty if there is none.
  public String groupDescription() {
    var at = Chars.find(text(), lineStart, messageStart, " PG GUID ");
    var from = at < 0 ? -1 : Chars.find(text(), at, messageStart, '(') + 1;
    var to = from <= 0 ? -1 : Chars.find(text(), from, messageStart, ')');
    return to < 0 ? "" : text().substring(from, to);
  }
}
