package io.ringside.streams.parse.megatron;

import io.ringside.streams.parse.event.MegatronEvent;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.ArrayList;
import java.util.List;

/// Megatron-LM's lines (training/training.py, core/timers.py, core/utils.py). The `[date]` in front is off already.
public final class MegatronLines {

  private MegatronLines() {}

  private static final List<String> TIMERS =
      List.of(
          "forward-backward",
          "forward-compute",
          "backward-compute",
          "batch-generator",
          "forward-recv",
          "forward-send",
          "backward-recv",
          "backward-send",
          "forward-send-forward-recv",
          "forward-send-backward-recv",
          "backward-send-forward-recv",
          "backward-send-backward-recv",
          "layernorm-grads-all-reduce",
          "embedding-grads-all-reduce",
          "all-grads-sync",
          "params-all-gather",
          "optimizer",
          "optimizer-copy-to-main-grad",
          "optimizer-unscale-and-check-inf",
          "optimizer-clip-main-grad",
          "optimizer-count-zeros",
          "optimizer-inner-step",
          "optimizer-copy-main-to-model-params",
          "save-checkpoint");

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES = shapes();

  private static List<Shape<TextLine>> shapes() {
    var shapes =
        new ArrayList<Shape<TextLine>>(
            List.of(
                Shape.of(
                    "iteration *elapsed time per iteration (ms): *",
                    "all",
                    MegatronLines::iteration),
                Shape.of("| MnRtt/Rnk: *", "core 0.7.0+", MegatronLines::straggler),
                Shape.of("MnRtt/Rnk: *", "core 0.7.0+", MegatronLines::straggler),
                Shape.of("rank #: #*", "timers of all ranks", MegatronLines::rankTimer),
                Shape.of("rank  #: #*", "timers of all ranks", MegatronLines::rankTimer),
                Shape.of(
                    "saving checkpoint at iteration *", "all", line -> checkpoint(line, false)),
                Shape.of(
                    "successfully saved checkpoint from iteration *",
                    "all",
                    line -> checkpoint(line, true)),
                Shape.of("[*] datetime: *", "all", MegatronLines::marker),
                Shape.ignored("(min, max) time across ranks (ms):", "all"),
                Shape.ignored("max time across ranks (ms):", "all"),
                Shape.ignored("times across ranks (ms):", "all"),
                Shape.ignored("validation loss at *", "all")));
    for (var timer : TIMERS) {
      shapes.add(Shape.of(timer + " .*: *", "timers", MegatronLines::timer));
      shapes.add(Shape.of(timer + ":", "timers of all ranks", MegatronLines::timerName));
    }
    return List.copyOf(shapes);
  }

  /// `iteration       10/     100 | consumed samples: … | elapsed time per iteration (ms): 512.3 | …`: pairs, in changing order.
  private static boolean iteration(TextLine line) {
    var iteration = line.expect("iteration").blanks().number();
    var iterations = line.expect("/").blanks().number();
    var from = line.at();
    var millis = pair(line, from, "elapsed time per iteration (ms): ");
    var teraflops = pair(line, from, "throughput per GPU (TFLOP/s/GPU): ");
    var batch = pair(line, from, "global batch size: ");
    return line.good()
        && !Double.isNaN(millis)
        && line.emit(
            new MegatronEvent.Iteration(
                iteration, iterations, millis, Double.isNaN(batch) ? -1 : (long) batch, teraflops));
  }

  private static double pair(TextLine line, int from, String key) {
    line.back(from);
    return line.find(key) ? line.blanks().decimal() : Double.NaN;
  }

  /// `| MnRtt/Rnk: 12.30ms/4 | MxRtt/Rnk: 45.60ms/2 | … | MnEtpt/Rnk: 98.00TF/2 | MxEtpt/Rnk: 170.00TF/4`.
  private static boolean straggler(TextLine line) {
    var from = line.at();
    var values = new double[4];
    var ranks = new int[4];
    var keys = List.of("MnRtt/Rnk: ", "MxRtt/Rnk: ", "MnEtpt/Rnk: ", "MxEtpt/Rnk: ");
    for (var i = 0; i < keys.size(); i++) {
      line.back(from);
      values[i] = line.find(keys.get(i)) ? line.decimal() : Double.NaN;
      ranks[i] = line.find("/") ? line.integer() : -1;
      if (line.bad()) {
        values[i] = Double.NaN;
        ranks[i] = -1;
      }
    }
    return !Double.isNaN(values[1])
        && line.emit(
            new MegatronEvent.Straggler(
                values[0], ranks[0], values[1], ranks[1], values[2], ranks[2], values[3],
                ranks[3]));
  }

  /// `forward-compute ................................: (12.10, 99.20)`, or one value.
  private static boolean timer(TextLine line) {
    var name = line.until(' ');
    line.seek(".: ");
    var pair = line.skip("(");
    var first = line.decimal();
    var second = pair ? line.expect(", ").decimal() : first;
    if (pair) {
      line.expect(")");
    }
    return line.done()
        && line.emit(new MegatronEvent.Timer(name, pair ? first : Double.NaN, second));
  }

  private static boolean timerName(TextLine line) {
    var name = line.until(':');
    line.expect(":");
    return line.done() && line.emit(new MegatronEvent.TimerName(name));
  }

  private static boolean rankTimer(TextLine line) {
    var rank = line.expect("rank").blanks().integer();
    var millis = line.expect(": ").decimal();
    return line.done() && line.emit(new MegatronEvent.RankTimer(rank, millis));
  }

  private static boolean checkpoint(TextLine line, boolean done) {
    var iteration = line.seek(" iteration").blanks().number();
    return line.good() && line.emit(new MegatronEvent.Checkpoint(iteration, done));
  }

  /// `[before the start of training step] datetime: 2026-02-01 10:00:00`.
  private static boolean marker(TextLine line) {
    var phase = line.expect("[").before("] datetime: ");
    return line.good()
        && Chars.isLetter(phase.isEmpty() ? ' ' : phase.charAt(0))
        && phase.indexOf('[') < 0
        && line.emit(new MegatronEvent.PhaseMarker(phase));
  }
}
