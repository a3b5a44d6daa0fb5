package io.ringside.shipper.source.export;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.shipper.source.export.Entry.Labels;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Finds the columns of a table that hold the message, the time and the writer, by the names in its
/// head row: `timestamp,message`, `@timestamp,@message,@logStream`, `Time,Line`.
///
/// @param size number of columns
/// @param message index of the message's column
/// @param time index of the time's column, -1 if there is none
/// @param pod index of the pod's or stream's column, -1 if there is none
/// @param node index of the node's column, -1 if there is none
record Columns(int size, int message, int time, int pod, int node) {
  private static final List<String> MESSAGES =
      List.of("message", "line", "textpayload", "log", "msg");
  private static final List<String> TIMES = List.of("timestamp", "time", "ts", "date", "tsns");
  private static final List<String> PODS =
      List.of("pod_name", "pod", "logstreamname", "logstream", "log stream name");
  private static final List<String> NODES = List.of("node_name", "node", "host", "hostname");

  /// The columns of a head row, null if the row is not a head: a head has a message, and a time or
  /// a writer.
  static @Nullable Columns of(List<String> head) {
    int message = first(head, MESSAGES);
    int time = first(head, TIMES);
    int pod = first(head, PODS);
    return message < 0 || time < 0 && pod < 0
        ? null
        : new Columns(head.size(), message, time, pod, first(head, NODES));
  }

  private static int first(List<String> head, List<String> names) {
    for (var name : names) {
      for (int at = 0; at < head.size(); at++) {
        var cell = head.get(at).strip().toLowerCase(Locale.ROOT);
        if (name.equals(cell.startsWith("@") ? cell.substring(1) : cell)) {
          return at;
        }
      }
    }
    return -1;
  }

  /// The entry of a row that has all columns.
  Entry entry(List<String> cells) {
    return new Entry(
        cells.get(message),
        time < 0 ? NO_TIME : Times.nanos(cells.get(time).strip()),
        new Labels(cell(cells, node), "", cell(cells, pod), ""));
  }

  private static String cell(List<String> cells, int at) {
    return at < 0 ? "" : cells.get(at).strip();
  }
}
