package io.ringside.streams.parse.loop;

import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.parse.scan.TextLine;

/// The console logger of verl: `step:60 - actor/pg_loss:0.001 - … - timing_s/step:134.6 -
/// perf/total_num_tokens:1751986`, all metrics of a step in one line (verl 0.2 to 0.6,
/// `utils/logger/aggregate_logger.py` and `trainer/ppo/metric_utils.py`).
final class VerlLines {
  private VerlLines() {}

  /// The tokens of the step and its duration. Tests and checkpoints happen within some steps and
  /// are left out. A line of a test alone has neither.
  static boolean step(TextLine line) {
    var step = line.expect("step:").number();
    if (!line.good()) {
      return false;
    }
    var tokens = value(line, " - perf/total_num_tokens:");
    if (Double.isNaN(tokens)) {
      tokens = value(line, " - response_length/mean:");
    }
    var took = value(line, " - timing_s/step:");
    var seconds =
        took
            - orNone(value(line, " - timing_s/testing:"))
            - orNone(value(line, " - timing_s/save_checkpoint:"));
    var counted = tokens > 0 && tokens < Double.POSITIVE_INFINITY;
    var timed = seconds > 0 && seconds < Double.POSITIVE_INFINITY;
    if (counted) {
      line.emit(new LoopEvent.Tokens(tokens));
    }
    if (timed) {
      line.emit(new LoopEvent.Step(step, seconds));
    }
    return counted || timed;
  }

  private static double orNone(double value) {
    return value > 0 ? value : 0;
  }

  /// The number behind the name, also as NumPy 2 prints its own, `np.float64(48.7)`; NaN if there
  /// is none.
  private static double value(TextLine line, String name) {
    var at = line.at();
    var found = line.find(name);
    if (found && line.skip("np.")) {
      line.seek("(");
    }
    var value = found ? line.decimal() : Double.NaN;
    var good = line.good();
    line.back(at);
    return good ? value : Double.NaN;
  }
}
