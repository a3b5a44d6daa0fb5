package io.ringside.streams.node;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.NcclTestsEvent;
import io.ringside.streams.parse.nccltests.NcclTestsLines;
import io.ringside.streams.parse.scan.Chars;
import java.util.Optional;
import java.util.TreeSet;

/// Joins the parts of an nccl-tests row into which NCCL lines of other threads were printed.
/// Remembered from chunk to chunk. Owned by one stream thread.
///
/// ```text
///     8388608   2097152  float  sum   40000node-0:12:15 [0] NCCL INFO …
///   .0   26.84   47.0     9   40000.0   26.84   47.0    9
/// ```
final class SplitRow {
  private static final int MAX_HOSTS = 4_096;

  private static final int LONGEST = 300;

  /// Another program may print a line or two before the row continues.
  private static final int PATIENCE = 16;

  /// Host names, as nccl-tests lists them and as NCCL's lines begin.
  private final TreeSet<String> hosts = new TreeSet<>();

  private String begun = "";
  private int others;

  boolean isOpen() {
    return !begun.isEmpty();
  }

  /// Records the event of a table's line.
  ///
  /// @param from first char of the row in the line
  /// @param to end of the row in the line
  void note(NcclTestsEvent event, Text text, int from, int to, int end) {
    switch (event) {
      case NcclTestsEvent.Device device -> {
        if (hosts.size() < MAX_HOSTS) {
          hosts.add(device.host());
        }
      }
      case NcclTestsEvent.RowBegin _ -> begun = part(text, from, to, end);
      case NcclTestsEvent.Half half -> {
        if (half.wrong() == NcclTestsEvent.UNREAD && isOpen()) {
          var part = part(text, from, to, end);
          begun = part.isEmpty() || begun.length() > LONGEST ? "" : begun + part;
        } else {
          begun = "";
        }
      }
      case NcclTestsEvent.Started _,
          NcclTestsEvent.Row _,
          NcclTestsEvent.OutOfBounds _,
          NcclTestsEvent.AverageBandwidth _ ->
          begun = "";
    }
    others = 0;
  }

  /// The part of the row in this line: the text in front of the host, or the whole line. Empty if
  /// the row's last digits may be the first ones of the host's name.
  private String part(Text text, int from, int to, int end) {
    if (to < end && to > from && text.charAt(to - 1) > ' ' && text.charAt(to - 1) <= '9') {
      int colon = Chars.find(text, to, end, ':');
      if (colon < 0 || !hosts.contains(text.substring(to, colon))) {
        return "";
      }
    }
    return text.substring(from, to);
  }

  /// The whole row, if this line is the rest of it.
  Optional<NcclTestsEvent.Row> with(Text text, int from, int end) {
    if (!isOpen() || end - from > LONGEST) {
      return Optional.empty();
    }
    var row = Optional.ofNullable(NcclTestsLines.whole(begun + text.substring(from, end)));
    if (row.isPresent() || ++others > PATIENCE) {
      begun = "";
    }
    return row;
  }
}
