package io.ringside.streams.parse.megatron;

import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.parse.event.MegatronEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.ArrayList;
import java.util.List;

/// Megatron-LM's lines (training/training.py, core/timers.py, core/utils.py). The `[date]` in front
/// is already removed.
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
                Shape.behind("| MnRtt/Rnk: *", "core 0.7.0+", DetectorReport::read),
                Shape.behind("MnRtt/Rnk: *", "core 0.7.0+", DetectorReport::read),
                Shape.of("rank #: #*", "timers of all ranks", MegatronLines::rankTime),
                Shape.of("rank  #: #*", "timers of all ranks", MegatronLines::rankTime),
                Shape.of("using world size: *", "all", MegatronLines::sizes),
                Shape.behind(
                    "initialized tensor model parallel with size *",
                    "all",
                    MegatronLines::initialized),
                Shape.behind(
                    "All tensor model parallel group ranks: *", "NeMo", MegatronLines::groups),
                Shape.ignored("saving checkpoint at iteration *", "all"),
                Shape.ignored("successfully saved checkpoint from iteration *", "all"),
                Shape.ignored("[*] datetime: *", "all"),
                Shape.ignored("(min, max) time across ranks (ms):", "all"),
                Shape.ignored("max time across ranks (ms):", "all"),
                Shape.of(
                    "times across ranks (ms):",
                    "all",
                    line -> line.emit(new MegatronEvent.TimersBegun())),
                Shape.ignored("validation loss at *", "all")));
    for (var timer : TIMERS) {
      shapes.add(Shape.ignored(timer + " .*", "timers"));
      shapes.add(
          Shape.of(
              timer + ":",
              "timers of all ranks",
              line -> line.emit(new MegatronEvent.Timer(timer))));
    }
    return List.copyOf(shapes);
  }

  /// `iteration       10/     100 | consumed samples: … | elapsed time per iteration (ms): 512.3 |
  /// …`: pairs of name and value, in varying order.
  private static boolean iteration(TextLine line) {
    var iteration = line.expect("iteration").blanks().number();
    var total = line.expect("/").blanks().number();
    var from = line.at();
    var millis = pair(line, from, "elapsed time per iteration (ms): ");
    var batch = whole(pair(line, from, "global batch size: "));
    var length = whole(pair(line, from, "actual seqlen: "));
    if (length < 0) {
      length = whole(pair(line, from, "curriculum seqlen: "));
    }
    return line.good()
        && !Double.isNaN(millis)
        && line.emit(new MegatronEvent.Iteration(iteration, total, millis, batch, length));
  }

  /// `using world size: 8, data-parallel size: 2, context-parallel size: 1, …tensor-model-parallel
  /// size: 4, …, pipeline-model-parallel size: 1` (training/arguments.py). Not read if an encoder
  /// has ranks of its own, because they shift the ranks of the rest.
  private static boolean sizes(TextLine line) {
    var from = line.at();
    var tensor = size(line, from, "tensor-model-parallel size: ");
    if (tensor < 1 || size(line, from, "encoder-tensor-model-parallel size: ") > 0) {
      return false;
    }
    var data =
        Math.max(
            size(line, from, "data-parallel size: "), size(line, from, "data-parallel-size: "));
    var context = Math.max(1, size(line, from, "context-parallel size: "));
    var pipeline = size(line, from, "pipeline-model-parallel size: ");
    boolean distinct =
        data > 0
            && pipeline > 0
            && tensor != data
            && tensor != context
            && tensor != data * context
            && tensor != pipeline;
    return line.emit(new MegatronEvent.TensorParallel(tensor, distinct));
  }

  /// The size after a key, -1 if the line lacks it.
  private static int size(TextLine line, int from, String key) {
    line.back(from);
    var size = line.find(key) ? line.integer() : -1;
    return line.good() ? size : -1;
  }

  /// Also shows for sure that a job runs (training/initialize.py).
  private static boolean initialized(TextLine line) {
    var size = line.integer();
    return line.good()
        && line.emit(new MegatronEvent.TensorParallel(size, false))
        && line.emit(new LoopEvent.Work());
  }

  /// `[[0, 1], [2, 3]]`. A list that was cut is not accepted.
  private static boolean groups(TextLine line) {
    var groups = new ArrayList<List<Integer>>();
    line.expect("[");
    do {
      var ranks = new ArrayList<Integer>();
      line.blanks().expect("[");
      do {
        ranks.add(line.blanks().good() ? line.integer() : 0);
      } while (line.good() && line.skip(","));
      line.expect("]");
      groups.add(ranks);
    } while (line.good() && line.skip(","));
    line.expect("]");
    return line.done() && line.emit(new MegatronEvent.TensorGroups(groups));
  }

  private static boolean rankTime(TextLine line) {
    var rank = line.expect("rank").blanks().integer();
    var millis = line.expect(":").blanks().decimal();
    return line.done() && line.emit(new MegatronEvent.RankTime(rank, millis));
  }

  private static long whole(double value) {
    return Double.isNaN(value) ? -1 : (long) value;
  }

  private static double pair(TextLine line, int from, String key) {
    line.back(from);
    return line.find(key) ? line.blanks().decimal() : Double.NaN;
  }
}
