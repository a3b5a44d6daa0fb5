package io.ringside.streams.parse.deepspeed;

import io.ringside.streams.parse.event.DeepSpeedEvent;
import io.ringside.streams.parse.scan.Cursor;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.ArrayList;
import java.util.List;

/// DeepSpeed's communication logger. Only the tables of `log_summary()` are read
/// (utils/comms_logging.py). They come one line at a time: heading, operation, rows.
public final class CommsLines {

  private CommsLines() {}

  private static final List<String> OPS =
      List.of(
          "broadcast",
          "broadcast_object_list",
          "barrier",
          "monitored_barrier",
          "log_summary_barrier",
          "all_reduce",
          "inference_all_reduce",
          "all_reduce_coalesced",
          "reduce",
          "reduce_scatter",
          "reduce_scatter_base",
          "reduce_scatter_fn",
          "reduce_scatter_tensor",
          "reduce_scatter_tensor_coalesced",
          "all_gather",
          "all_gather_base",
          "all_gather_coalesced",
          "all_gather_object",
          "all_gather_into_tensor",
          "all_gather_into_tensor_coalesced",
          "allgather_fn",
          "all_to_all",
          "all_to_all_single",
          "gather",
          "scatter",
          "send",
          "recv",
          "isend",
          "irecv");

  private static final List<String> UNITS = List.of("B", "KB", "MB", "GB", "TB");

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES = shapes();

  private static List<Shape<TextLine>> shapes() {
    var shapes =
        new ArrayList<Shape<TextLine>>(
            List.of(
                Shape.ignored("comm op: *", "0.10.1+"),
                Shape.ignored("rank=# | comm op: *", "0.7.0 to 0.10.0"),
                Shape.of("Comm. Op * Total straggler(ms)*", "0.10.0+", line -> table(line, true)),
                Shape.of("Comm. Op *", "0.7.0+", line -> table(line, false)),
                Shape.of("#B *", "summary row", CommsLines::row)));
    for (var unit : UNITS) {
      shapes.add(Shape.of("#.# " + unit + " *", "summary row", CommsLines::row));
    }
    for (var op : OPS) {
      shapes.add(Shape.of(op, "summary, alone on its line", CommsLines::name));
    }
    return List.copyOf(shapes);
  }

  private static boolean table(TextLine line, boolean straggler) {
    return line.emit(new DeepSpeedEvent.SummaryTable(straggler));
  }

  private static boolean name(TextLine line) {
    var op = line.word();
    return line.done() && OPS.contains(op) && line.emit(new DeepSpeedEvent.SummaryOp(op));
  }

  /// `256.0 B   731   223.82   0.21   0.08   0.07`.
  private static boolean row(TextLine line) {
    bytes(line);
    line.blanks().number();
    var totalMillis = line.blanks().decimal();
    var second = line.blanks().decimal();
    line.blanks().decimal();
    line.blanks().decimal();
    return line.done() && line.emit(new DeepSpeedEvent.SummaryRow(totalMillis, second));
  }

  /// `0B`, `256.0 B`, `1.17 KB`.
  private static void bytes(Cursor line) {
    line.decimal();
    line.blanks();
    if (UNITS.stream().noneMatch(line::skip)) {
      line.fail();
    }
  }
}
