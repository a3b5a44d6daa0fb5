package io.ringside.lab.simulate;

import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/// A run of nccl-tests in one pod, a process for all of its GPUs: its table, in the shape of the
/// recordings.
final class BenchLines {
  private static final long SMALLEST = 8L << 20;
  private static final int SIZES = 6;

  /// By how much the smaller sizes fall short of the largest: from 8 to 256 MiB, as recorded.
  private static final double[] RISE = {0.33, 0.59, 0.73, 0.87, 0.96, 1};

  private BenchLines() {}

  /// Seconds that it takes.
  static final double SECONDS = 8;

  static void write(
      JobPlan plan, Layout.Place place, double from, List<Line> lines, RandomGenerator random) {
    var pen = new RankLineWriter(plan.version(), place, lines);
    pen.at(from);
    int gpus = plan.gpusPerPod();
    pen.other("# nccl-tests version 2.19.6 nccl-headers=22809 nccl-library=22809");
    pen.other("# Collective test starting: all_reduce_perf");
    pen.other(
        "# nThread 1 nGpus %d minBytes 8388608 maxBytes 268435456 step: 2(factor) warmup iters: 1 iters: 20 agg iters: 1 validation: 1 graph: 0 unalign: 0"
            .formatted(gpus));
    pen.other("#");
    pen.other("# Using devices");
    for (int gpu = 0; gpu < gpus; gpu++) {
      pen.other(
          "#  Rank %2d Group  0 Pid %6d on %10s device %2d [%s] %s"
              .formatted(
                  gpu,
                  place.pid(),
                  "vm",
                  gpu,
                  "0000:" + plan.machine().buses().get(gpu),
                  plan.machine().gpuName()));
    }
    pen.other(plan.version().line());
    pen.other("#");
    pen.other(
        "#                                                              out-of-place                       in-place          ");
    pen.other(
        "#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong ");
    pen.other(
        "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)         ");
    int wrong =
        plan.fault(BenchFault.WrongResults.class).map(BenchFault.WrongResults::elements).orElse(0);
    double sum = 0;
    for (int i = 0; i < SIZES; i++) {
      pen.at(from + SECONDS * (i + 1) / (SIZES + 1));
      double best = bandwidth(plan) * RISE[i];
      double out = best * (0.97 + 0.03 * random.nextDouble());
      double in = best * (0.97 + 0.03 * random.nextDouble());
      long bytes = SMALLEST << i;
      pen.other(
          "%12d%14d     float     sum      -1  %s  %s"
              .formatted(
                  bytes,
                  bytes / 4,
                  measured(bytes, out, gpus, i == SIZES - 2 ? wrong : 0),
                  measured(bytes, in, gpus, 0)));
      sum += out + in;
    }
    pen.other("# Out of bounds values : %d %s".formatted(wrong, wrong == 0 ? "OK" : "FAILED"));
    pen.other(String.format(Locale.ROOT, "# Avg bus bandwidth    : %.3f ", sum / (2.0 * SIZES)));
    pen.other("#");
    pen.other("# Collective test concluded: all_reduce_perf");
  }

  /// GB/s of the largest size: four fifths of NVLink, or what shared memory carries.
  private static double bandwidth(JobPlan plan) {
    double share =
        plan.fault(BenchFault.LowBandwidth.class).map(BenchFault.LowBandwidth::share).orElse(1.0);
    return share * 0.8 * plan.machine().linkGBps();
  }

  private static String measured(long bytes, double busbw, int gpus, int wrong) {
    double algbw = busbw * gpus / (2.0 * (gpus - 1));
    return String.format(
        Locale.ROOT, "%7.2f %7.2f %7.2f %7d", bytes / algbw / 1000, algbw, busbw, wrong);
  }
}
