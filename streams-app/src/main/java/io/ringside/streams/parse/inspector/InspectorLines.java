package io.ringside.streams.parse.inspector;

import io.ringside.streams.parse.event.InspectorEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;

/// The inspector's JSON lines (plugins/profiler/inspector). Only its few known keys are looked for, so that a key that comes
/// new does no harm; the objects hold no strings with quotes in them.
public final class InspectorLines {

  private InspectorLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of("{\"header\":*_perf\"*", "2.28.3+", InspectorLines::operation),
          Shape.of("{ \"header\":*_perf\"*", "2.28.3+", InspectorLines::operation));

  private static boolean operation(TextLine line) {
    var from = line.at();
    var p2p = line.find("\"p2p_perf\"");
    var prefix = p2p ? "\"p2p" : "\"coll";
    var id = text(line, from, "\"id\"");
    var op = text(line, from, prefix + "\"");
    var micros = number(line, from, prefix + "_exec_time_us\"");
    if (id.isEmpty() || op.isEmpty() || Double.isNaN(micros)) {
      return false;
    }
    return line.emit(
        new InspectorEvent.Operation(
            id.startsWith("0x") ? id : "0x" + id,
            (int) whole(line, from, "\"rank\""),
            (int) whole(line, from, "\"n_ranks\""),
            (int) whole(line, from, "\"nnodes\""),
            op,
            whole(line, from, prefix + "_sn\""),
            p2p ? (int) whole(line, from, "\"p2p_peer\"") : -1,
            whole(line, from, prefix + "_msg_size_bytes\""),
            micros,
            text(line, from, prefix + "_timing_source\""),
            number(line, from, prefix + "_algobw_gbs\""),
            number(line, from, prefix + "_busbw_gbs\""),
            text(line, from, "\"hostname\""),
            (int) whole(line, from, "\"pid\""),
            whole(line, from, "\"dump_timestamp_us\"")));
  }

  private static boolean value(TextLine line, int from, String key) {
    line.back(from);
    while (line.find(key)) {
      if (line.blanks().skip(":")) {
        line.blanks();
        return true;
      }
    }
    return false;
  }

  private static String text(TextLine line, int from, String key) {
    if (!value(line, from, key) || !line.skip("\"")) {
      return "";
    }
    var value = line.until('"');
    return line.bad() ? "" : value;
  }

  private static double number(TextLine line, int from, String key) {
    var value = value(line, from, key) ? line.decimal() : Double.NaN;
    return line.bad() ? Double.NaN : value;
  }

  private static long whole(TextLine line, int from, String key) {
    var value = value(line, from, key) ? line.number() : -1;
    return line.bad() ? -1 : value;
  }
}
