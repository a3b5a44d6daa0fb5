package io.ringside.streams.parse.loop;

import io.ringside.streams.parse.event.LoopEvent;
import io.ringside.streams.parse.scan.Chars;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Step lines of training loops that belong to no framework:
/// `step 10/400 loss 9.7 step_time 0.073s`. A line counts if it begins with one of these words, has
/// the number of a step, and contains a value that only training prints.
public final class LoopLines {

  /// In chars: a number must come this early, as in `Training epoch [ 12]`.
  private static final int FARTHEST_NUMBER = 24;

  private static final Pattern FARTHER =
      Pattern.compile("\\d ?(?:/|of) ?\\d|(?i:epoch|step|phase|stage|fold|round)\\s+#?\\d");

  private LoopLines() {}

  private static final List<String> BEGINNINGS =
      List.of(
          "step *",
          "step: *",
          "step:#*",
          "step=#*",
          "Step *",
          "Step: *",
          "Step:#*",
          "[step *",
          "[Step *",
          "[step=#*",
          "iter *",
          "iter: *",
          "Iter *",
          "Iter: *",
          "iteration *",
          "iteration: *",
          "Iteration *",
          "Iteration: *",
          "global_step *",
          "global_step: *",
          "global_step=#*",
          "global step *",
          "epoch *",
          "epoch=#*",
          "Epoch=#*",
          "epoch: *",
          "Epoch *",
          "Epoch: *",
          "Epoch(train) *",
          "Iter(train) *",
          "eta: *iter: *",
          "Epoch[#/#], Step[#/#]*",
          "Epoch[#] Batch*",
          "Node[#] Epoch[#] Batch*",
          "[TRAIN] epoch: *",
          "[epoch *",
          "[Epoch *",
          "train step *",
          "train: step *",
          "Train step *",
          "Training step *",
          "Training epoch *",
          "{\"step\": #*",
          "{\"epoch\": #*",
          "Part # | Epoch # | Batch *",
          "loss: *, global_step: *", // PaddleNLP
          "rank # step *");

  /// How scripts report that training is done. A line that only begins like this continues with a
  /// number: `Training completed 20 of 400 steps`.
  private static final List<String> ENDINGS =
      List.of(
          "Training complete*",
          "training complete*",
          "Training finished*",
          "training finished*",
          "Training done*",
          "training done*",
          "Training is done*",
          "Training has finished*",
          "Training successfully completed*",
          "Finished training*",
          "finished training*",
          "Done training*",
          "done training*",
          "[after training is done] *",
          "`Trainer.fit` stopped: `max_*` reached*");

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES = shapes();

  private static List<Shape<TextLine>> shapes() {
    var shapes =
        new ArrayList<Shape<TextLine>>(
            List.of(
                resized(
                    "[#/#] [__recompiles] * size mismatch at index #. expected *",
                    "torch.compile 2.4+"),
                resized("========= COMPUTE-SANITIZER", "compute-sanitizer"),
                resized("wandb: Agent Starting Run: *", "wandb's sweeps"),
                resized("Starting Run: * with config:*", "wandb's sweeps"),
                resized("Trial # finished with *", "Optuna"),
                resized("Trial # pruned.*", "Optuna"),
                Shape.of("[curriculum] * -> #*", "scripts", LoopLines::changed),
                Shape.of("[Curriculum] * -> #*", "scripts", LoopLines::changed),
                Shape.of("curriculum: * -> #*", "scripts", LoopLines::changed),
                Shape.of("Curriculum: * -> #*", "scripts", LoopLines::changed),
                Shape.of("Extending context: * -> #*", "scripts", LoopLines::changed),
                resized("BackboneFinetuning: *", "Lightning"),
                resized("Multi-phase fine-tuned training continuing at level #*", "Lightning"),
                resized("Progressive resize: *", "scripts"),
                resized("Progressive resizing*", "scripts"),
                resized("Unfreezing *", "scripts"),
                resized("unfreezing *", "scripts"),
                resized("Unfroze *", "scripts"),
                resized("Activating profiler*", "MaxText"),
                resized("Deactivating profiler*", "MaxText"),
                resized(
                    "STAGE:#-#-# #:#:# #:# ActivityProfilerController.cpp:#] Completed Stage: *",
                    "Kineto, PyTorch's profiler"),
                resized("Dumping profiler traces at step #*", "torchtitan"),
                resized("====== Start nsys profiling ======", "NeMo"),
                resized("====== End nsys profiling ======", "NeMo"),
                resized("torch.profiler: *", "scripts"),
                Shape.of("=* # passed*", "pytest", LoopLines::passed),
                Shape.of(
                    "[  PASSED  ] # test*",
                    "googletest",
                    line -> line.emit(new LoopEvent.TestsPassed())),
                Shape.of("{\"*\"step\": #*", "loggers in JSON", LoopLines::json),
                Shape.of("{\"*\"global_step\": #*", "loggers in JSON", LoopLines::json),
                Shape.of("{\"*\"iteration\": #*", "loggers in JSON", LoopLines::json),
                Shape.of("heartbeat* step #*", "scripts", LoopLines::alive),
                Shape.of("Heartbeat* step #*", "scripts", LoopLines::alive),
                Shape.behind("completed step: #, seconds: *", "MaxText", LoopLines::completed),
                Shape.of("Train: # [*/# (*%)] *Time: #*s, *", "timm", LoopLines::timm),
                Shape.of("step:# - *", "verl", VerlLines::step),
                Shape.of("[step=#/#,epoch=#]", "OLMo", LoopLines::numbered),
                Shape.behind("throughput/device/batches_per_second=*", "OLMo", LoopLines::rate),
                Shape.of("[batch=#/#]:*", "Composer", LoopLines::batch),
                Shape.of("[epoch=#][batch=#/#]:*", "Composer", LoopLines::batch),
                Shape.behind(
                    "Train throughput/batches_per_sec: *", "Composer 0.12+", LoopLines::rate)));
    for (var beginning : BEGINNINGS) {
      shapes.add(Shape.of(beginning, "any", LoopLines::step));
    }
    for (var ending : ENDINGS) {
      shapes.add(Shape.of(ending, "any", LoopLines::finished));
    }
    return List.copyOf(shapes);
  }

  /// Not if the line reports only progress: `Training completed 20/400`.
  private static boolean finished(TextLine line) {
    return !FARTHER.matcher(line.rest()).find() && line.emit(new LoopEvent.Finished());
  }

  /// A line after which steps are of another kind: with other inputs, or of another run in the same
  /// log.
  private static Shape<TextLine> resized(String text, String of) {
    return Shape.of(text, of, line -> line.emit(new LoopEvent.Resized()));
  }

  private static boolean step(TextLine line) {
    return numberComes(line) && new StepWords(line).read();
  }

  /// `[rank 0] heartbeat: still inside all_reduce of step 413 for 1110 s`.
  private static boolean alive(TextLine line) {
    int rank = line.rank();
    line.seek(" step ");
    var step = line.number();
    return rank >= 0 && line.good() && line.emit(new LoopEvent.Position(rank, step, true));
  }

  /// `{"event": "train_step", "step": 2, "loss": 2.396, "step_time_s": 2.108}`: the fields before
  /// the step name the event.
  private static boolean json(TextLine line) {
    return new StepWords(line).read();
  }

  /// Whether only words of the beginning stand before the first number: prose begins with such
  /// words as well.
  private static boolean numberComes(TextLine line) {
    var text = line.text();
    var to = Math.min(line.end(), line.at() + FARTHEST_NUMBER);
    for (var at = line.at(); at < to; at++) {
      var c = text.charAt(at);
      if (Chars.isDigit(c)) {
        return true;
      }
      if (!Chars.isLetter(c) && " :=_[]{\"'()\t".indexOf(c) < 0) {
        return false;
      }
    }
    return false;
  }

  private static boolean passed(TextLine line) {
    var words = line.rest();
    return words.contains(" in ")
        && words.endsWith("=")
        && !words.contains(" failed")
        && !words.contains(" error")
        && line.emit(new LoopEvent.TestsPassed());
  }

  /// `[curriculum] max_seq_length 2048 -> 4096 from step 201`.
  private static boolean changed(TextLine line) {
    line.seek(" -> ");
    return line.good() && line.number() > 0 && line.emit(new LoopEvent.Resized());
  }

  /// `completed step: 120, seconds: 5.233, TFLOP/s/device: 389.4, …`: the duration of the step and
  /// the speed of its computation, from `metric_logger.py` of MaxText. Their product is the work of
  /// the step, which grows with the context.
  private static boolean completed(TextLine line) {
    var step = line.number();
    var seconds = line.expect(", seconds: ").decimal();
    return line.good()
        && seconds > 0
        && seconds < Double.POSITIVE_INFINITY
        && line.find("TFLOP/s")
        && line.emit(new LoopEvent.Step(step, seconds, seconds * speed(line), -1));
  }

  /// `Train: 0 [  50/1251 (  4%)]  Loss: 6.94 (6.95)  Time: 0.612s, 1673.2/s  (0.655s, …)  LR: …`:
  /// steps of an epoch, and the duration of the last one (timm's `train.py`).
  private static boolean timm(TextLine line) {
    line.seek("[").blanks();
    var step = line.number();
    var total = line.expect("/").number();
    var seconds = line.seek("Time: ").decimal();
    return line.good()
        && seconds > 0
        && seconds < Double.POSITIVE_INFINITY
        && line.emit(new LoopEvent.Step(step, seconds, 0, total));
  }

  private static double speed(TextLine line) {
    var speed = line.seek(": ").decimal();
    return line.good() ? speed : 0;
  }

  /// `[step=120/10000,epoch=0]`, above lines with the measured values.
  private static boolean numbered(TextLine line) {
    var step = line.expect("[step=").number();
    return line.good() && line.emit(new LoopEvent.Step(step, Double.NaN));
  }

  private static boolean batch(TextLine line) {
    var done = line.seek("batch=").number();
    line.expect("/").number();
    return line.good() && line.emit(new LoopEvent.Step(done, Double.NaN));
  }

  /// Batches per second over the window of Composer or OLMo, on a line of its own below the batch.
  private static boolean rate(TextLine line) {
    var perSecond = line.decimal();
    return line.done()
        && perSecond > 0
        && perSecond < Double.POSITIVE_INFINITY
        && line.emit(new LoopEvent.Step(-1, 1 / perSecond));
  }
}
