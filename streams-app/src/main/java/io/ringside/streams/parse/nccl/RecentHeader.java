package io.ringside.streams.parse.nccl;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.NcclHead;
import org.jspecify.annotations.Nullable;

/// The last `NCCL INFO` header of a text that stood at the beginning of its line. Ranks print
/// several lines in a row: a line that begins with the same bytes has the same header, which is
/// then neither searched nor read again. Not thread-safe.
final class RecentHeader {
  private final Text text;
  private int start;
  private int hostEnd;
  private int length;
  private int lastLine = -1;
  private @Nullable NcclHead head;

  RecentHeader(Text text) {
    this.text = text;
  }

  /// Length of the header including `NCCL INFO `, if the line begins with it, else 0.
  ///
  /// @param limit last index where the line may end
  int at(int lineStart, int limit) {
    lastLine = -1;
    if (length == 0 || limit - lineStart < length || !text.same(start, lineStart, length)) {
      return 0;
    }
    lastLine = lineStart;
    return length;
  }

  /// The same length for the line of the last call of [#at], 0 for any other line.
  int lengthAt(int lineStart) {
    return lastLine == lineStart ? length : 0;
  }

  /// Remembers the header of a line, if it stands at the beginning of the line and may occur again.
  ///
  /// @param messageStart first byte after `NCCL INFO `
  void remember(int lineStart, int hostEnd, int keyword, int messageStart) {
    if (text.charAt(keyword + 5) == 'I'
        && messageStart == keyword + 10
        && NcclHeader.hostStart(text, lineStart, hostEnd) == lineStart) {
      this.start = lineStart;
      this.lastLine = lineStart;
      this.hostEnd = hostEnd;
      this.length = messageStart - lineStart;
      this.head = null;
    }
  }

  /// Whether this header was found in the line that begins here, and in no line since.
  boolean is(int lineStart) {
    return lastLine == lineStart;
  }

  /// The colon after the host in a line that begins with this header.
  int hostEnd(int lineStart) {
    return lineStart + hostEnd - start;
  }

  /// The header as a record.
  NcclHead head() {
    var known = head;
    if (known == null) {
      known = NcclHeader.read(text, start, start, hostEnd);
      head = known;
    }
    return known;
  }
}
