package io.ringside.streams.parse.deepspeed;

import io.ringside.streams.parse.event.DeepSpeedEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.ArrayList;
import java.util.List;

/// What DeepSpeed's engine prints while it trains (utils/timer.py, runtime/engine.py,
/// runtime/utils.py). The logger's prefix is already removed.
public final class DeepSpeedLines {

  private DeepSpeedLines() {}

  private static final List<String> STAGES =
      List.of(
          "Stage 3 initialize beginning",
          "Stage 3 initialize end",
          "DeepSpeedZeRoOffload initialize [begin]",
          "DeepSpeedZeRoOffload initialize [end]",
          "Before creating fp16 partitions",
          "After creating fp16 partitions",
          "Before creating fp32 partitions",
          "After creating fp32 partitions",
          "Before initializing optimizer states",
          "After initializing optimizer states",
          "After initializing ZeRO optimizer",
          "begin bf16_optimizer",
          "end bf16_ optimizer",
          "before initializing group",
          "after initializing group",
          "Engine before forward",
          "Engine after forward",
          "Engine before backward",
          "Engine after backward",
          "Engine before step",
          "Engine after step");

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES = shapes();

  private static List<Shape<TextLine>> shapes() {
    var shapes =
        new ArrayList<Shape<TextLine>>(
            List.of(
                Shape.ignored("DeepSpeed info: version=*", "all"),
                Shape.ignored("[Rank #] DeepSpeed info: version=*", "all"),
                Shape.ignored("MA *GB*", "all; bare 0.18.3 to 0.18.7"),
                Shape.ignored("CPU Virtual Memory:*", "0.3.12+"),
                Shape.of("time (ms) | *", "0.10.1+", DeepSpeedLines::wallClock),
                Shape.of("rank=# time (ms) | *", "to 0.10.0", DeepSpeedLines::wallClock),
                Shape.of(
                    "epoch=#/micro_step=#/global_step=#, *", "0.7.0+", DeepSpeedLines::throughput),
                Shape.of("#/#, SamplesPerSec=*", "0.3.0 to 0.6.7", DeepSpeedLines::oldThroughput),
                Shape.of("step=#, skipped=#, *", "all", DeepSpeedLines::step),
                Shape.of("steps: # loss: *", "pipeline engine", DeepSpeedLines::pipelineStep),
                Shape.ignored("[deepspeed] OVERFLOW! Rank #*", "0.8.3+"),
                Shape.ignored("[deepscale] OVERFLOW! Rank #*", "to 0.8.1"),
                Shape.ignored("[deepspeed] fp16 dynamic loss scale overflow!*", "fused"),
                Shape.ignored("rank # detected overflow *", "all"),
                Shape.ignored("# pytorch allocator cache flushes since last step*", "all"),
                Shape.ignored("Saving model checkpoint: *", "all"),
                Shape.ignored("process # spawned with command: *", "launcher"),
                Shape.of(
                    "Process # exits successfully*",
                    "launcher",
                    line -> line.emit(new DeepSpeedEvent.LaunchedExit(0))),
                Shape.ignored("[Torch] *", "all"),
                Shape.ignored("Adam Optimizer #* is created with *", "all"),
                Shape.ignored("Parameter Offload*", "0.6.6 to 0.18.7")));
    for (var stage : STAGES) {
      shapes.add(Shape.ignored(stage + "*", "see_memory_usage"));
    }
    return List.copyOf(shapes);
  }

  /// `time (ms) | fwd_microstep: 553.28 | …`; MoE `fwd: 1.0 (fwd_moe: 0.5, 1st_a2a: 0.1)`.
  private static boolean wallClock(TextLine line) {
    line.seek("time (ms)");
    var timers = new ArrayList<DeepSpeedEvent.Timer>();
    while (line.find("| ")) {
      var name = line.before(": ");
      var millis = line.decimal();
      if (line.bad() || name.length() > 80) {
        return false;
      }
      timers.add(new DeepSpeedEvent.Timer(name.strip(), millis));
    }
    var micro = timers.stream().anyMatch(timer -> timer.name().endsWith("_microstep"));
    return !timers.isEmpty() && line.emit(new DeepSpeedEvent.WallClock(micro, timers));
  }

  private static boolean throughput(TextLine line) {
    var microStep = line.seek("micro_step=").number();
    var globalStep = line.expect("/global_step=").number();
    var average = line.find("RunningAvgSamplesPerSec=") ? line.decimal() : Double.NaN;
    var current = line.find("CurrSamplesPerSec=") ? line.decimal() : Double.NaN;
    return line.good()
        && line.emit(new DeepSpeedEvent.Throughput(microStep, globalStep, average, current));
  }

  /// `40/10, SamplesPerSec=12.3`.
  private static boolean oldThroughput(TextLine line) {
    var microStep = line.number();
    var globalStep = line.expect("/").number();
    var samples = line.expect(", SamplesPerSec=").decimal();
    return line.good()
        && line.emit(new DeepSpeedEvent.Throughput(microStep, globalStep, samples, samples));
  }

  private static boolean step(TextLine line) {
    var step = line.expect("step=").number();
    return line.good() && line.emit(new DeepSpeedEvent.Step(step));
  }

  private static boolean pipelineStep(TextLine line) {
    var seconds = line.seek("iter time (s): ").decimal();
    var samples = line.seek("samples/sec: ").decimal();
    return line.good() && line.emit(new DeepSpeedEvent.PipelineStep(seconds, samples));
  }

  /// The launcher's `<command> exits with return code = -9`. It begins with any text, so it counts
  /// only after the launcher's logger prefix.
  public static boolean exit(TextLine line) {
    if (!line.find(" exits with return code = ")) {
      return false;
    }
    var code = line.integer();
    return line.good() && line.emit(new DeepSpeedEvent.LaunchedExit(code));
  }
}
