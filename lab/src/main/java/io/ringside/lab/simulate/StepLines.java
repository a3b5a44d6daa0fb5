package io.ringside.lab.simulate;

import io.ringside.lab.simulate.Layout.Place;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/// What a framework prints about its steps, in the shapes of the parser's fixtures.
final class StepLines {
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS").withZone(ZoneOffset.UTC);
  private static final int SAMPLES_A_RANK = 4;
  private static final int EPOCHS = 3;

  /// Steps that DeepSpeed leaves out of its running average.
  private static final int WARM_UP = 2;

  private final JobPlan plan;
  private final Timeline timeline;
  private final Instant begin;
  private final List<Line> lines;
  private final int every;

  /// @param begin true time of the job's begin
  StepLines(JobPlan plan, Timeline timeline, Instant begin, List<Line> lines) {
    this.plan = plan;
    this.timeline = timeline;
    this.begin = begin;
    this.lines = lines;
    every = Math.max(1, timeline.steps() / 400);
  }

  /// Which rank prints them, -1 if none does.
  static int rank(JobPlan plan) {
    return switch (plan.framework()) {
      case NONE, NCCL_TESTS -> -1;
      case TRAINER, DEEPSPEED -> 0;
      case MEGATRON -> plan.ranks() - 1;
    };
  }

  void write(Place place) {
    if (plan.framework() == Framework.TRAINER) {
      block(timeline.stepBegin(0, place.rank()), place);
    }
    double first = timeline.stepBegin(0, place.rank());
    double warm = timeline.stepEnd(Math.min(WARM_UP, timeline.steps()) - 1, place.rank());
    double reported = first;
    int done = 0;
    for (int step = 0; step < timeline.steps(); step++) {
      double at = timeline.stepEnd(step, place.rank());
      if (!Double.isFinite(at)) {
        return;
      }
      if ((step + 1) % every == 0) {
        double seconds = (at - reported) / (step + 1 - done);
        double mean = step < WARM_UP ? seconds : (at - warm) / (step + 1 - WARM_UP);
        line(at + 0.0003, place, text(step + 1, at, at - first, mean, seconds));
        reported = at;
        done = step + 1;
      }
    }
  }

  /// @param elapsed since the first step
  /// @param mean seconds of a step after the first ones
  private String text(int step, double at, double elapsed, double mean, double seconds) {
    return switch (plan.framework()) {
      case TRAINER -> bar(step, elapsed, seconds) + (step % 5 == 0 ? metrics(step) : "");
      case DEEPSPEED -> throughput(step, at, mean, seconds);
      case MEGATRON -> iteration(step, at, seconds);
      case NONE, NCCL_TESTS -> "";
    };
  }

  private void block(double at, Place place) {
    for (var text :
        List.of(
            "***** Running training *****",
            "  Num examples = 36,718",
            "  Num Epochs = " + EPOCHS,
            "  Instantaneous batch size per device = " + SAMPLES_A_RANK,
            "  Total train batch size (w. parallel, distributed & accumulation) = " + batch(),
            "  Gradient Accumulation steps = 1",
            String.format(Locale.ROOT, "  Total optimization steps = %,d", plan.steps()),
            "  Number of trainable parameters = 8,030,261,248")) {
      line(at, place, text);
    }
  }

  private String bar(int step, double elapsed, double seconds) {
    double left = seconds * (plan.steps() - step);
    int cells = 10 * step / plan.steps();
    return String.format(
        Locale.ROOT,
        "%3d%%|%s%s| %d/%d [%s<%s, %s]",
        100 * step / plan.steps(),
        "█".repeat(cells),
        " ".repeat(10 - cells),
        step,
        plan.steps(),
        clock(elapsed),
        clock(left),
        seconds < 1
            ? String.format(Locale.ROOT, "%5.2fit/s", 1 / seconds)
            : String.format(Locale.ROOT, "%5.2fs/it", seconds));
  }

  private static String clock(double seconds) {
    long whole = (long) seconds;
    return whole < 3600
        ? "%02d:%02d".formatted(whole / 60, whole % 60)
        : "%d:%02d:%02d".formatted(whole / 3600, whole / 60 % 60, whole % 60);
  }

  private String metrics(int step) {
    return String.format(
        Locale.ROOT,
        "{'loss': %.4f, 'grad_norm': 1.5234, 'learning_rate': 2e-05, 'epoch': %.2f}",
        2 - step / (plan.steps() + 1.0),
        EPOCHS * step / (double) plan.steps());
  }

  private String throughput(int step, double at, double mean, double seconds) {
    return String.format(
        Locale.ROOT,
        "[%s] [INFO] [timer.py:259:stop] epoch=0/micro_step=%d/global_step=%d, RunningAvgSamplesPerSec=%.6f, CurrSamplesPerSec=%.6f, MemAllocated=0.45GB, MaxMemAllocated=1.48GB",
        MILLIS.format(time(at)),
        step,
        step,
        batch() / mean,
        batch() / seconds);
  }

  private String iteration(int step, double at, double seconds) {
    return String.format(
        Locale.ROOT,
        " [%s] iteration %8d/%8d | consumed samples: %12d | elapsed time per iteration (ms): %.1f | learning rate: 1.000000E-05 | global batch size: %5d | lm loss: 1.031204E+01 | loss scale: 1.0 | grad norm: 1.000 | number of skipped iterations:   0 | number of nan iterations:   0 |",
        MICROS.format(time(at)),
        step,
        plan.steps(),
        (long) step * batch(),
        1000 * seconds,
        batch());
  }

  private Instant time(double at) {
    return begin.plusNanos(Math.round(at * 1e9));
  }

  private int batch() {
    return SAMPLES_A_RANK * plan.ranks();
  }

  private void line(double at, Place place, String text) {
    lines.add(new Line(at, place.pid(), Line.Kind.OTHER, text));
  }
}
