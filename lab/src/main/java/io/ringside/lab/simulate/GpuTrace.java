package io.ringside.lab.simulate;

import io.ringside.lab.simulate.GeneratedJob.Sent;
import io.ringside.lab.simulate.PaceFault.Straggler;
import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.Nanos;
import java.util.ArrayList;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// What nvidia-smi shows of one node while a run is on: a GPU that works draws much, one that waits
/// in a collective is as busy but draws little, one whose program lags is idle. Figures as in the
/// recordings.
final class GpuTrace {
  private static final long IDLE = 0x1;
  private static final long POWER_CAP = 0x4;
  private static final long THERMAL = 0x20;

  private final JobPlan plan;
  private final Timeline timeline;
  private final NodeClock clock;
  private final int node;
  private final RandomGenerator random;
  private final int[] stepOfRank;

  GpuTrace(JobPlan plan, Timeline timeline, NodeClock clock, int node, RandomGenerator random) {
    this.plan = plan;
    this.timeline = timeline;
    this.clock = clock;
    this.node = node;
    this.random = random;
    stepOfRank = new int[plan.ranks()];
  }

  /// Sends samples from one moment to another, seconds since the job's begin.
  void send(double from, double to, Consumer<Sent> out) {
    for (double at = from; at < to; at += plan.agents().sampleSeconds()) {
      long nanos = clock.nanos(at);
      if (stalled(at)) {
        continue;
      }
      var readings = new ArrayList<GpuReading>();
      for (int gpu = 0; gpu < plan.machine().gpus(); gpu++) {
        readings.add(reading(gpu, at));
      }
      out.accept(
          new Sent(
              nanos + 50_000_000,
              new GpuSample(
                  "eu-1",
                  Layout.nodeName(plan, node),
                  Nanos.instant(clock.shown(nanos)),
                  readings)));
    }
  }

  private boolean stalled(double at) {
    double since = at - timeline.stepBegin(0, 0);
    return plan.fault(TelemetryFault.SensorStall.class)
        .map(
            stall ->
                stall.node() == node
                    && since >= stall.fromSecond()
                    && since < stall.fromSecond() + stall.seconds())
        .orElse(false);
  }

  private GpuReading reading(int gpu, double at) {
    var machine = plan.machine();
    int rank = rankOf(gpu);
    double worked = 0;
    double waited = 0;
    boolean on = rank >= 0 && at >= timeline.stepBegin(0, rank) - 3;
    if (rank >= 0) {
      double[] shares = shares(rank, at);
      worked = shares[0];
      waited = shares[1];
    }
    double clockMHz = worked + waited > 0.02 ? machine.clockMHz() : 345;
    long reasons = worked + waited > 0.02 ? (worked > 0.85 ? POWER_CAP : 0) : IDLE;
    double memory = on ? 31_000 + 40 * random.nextDouble() : 4;
    double watts =
        machine.idleWatts()
            + worked * (machine.busyWatts() - machine.idleWatts())
            + waited * (machine.spinWatts() - machine.idleWatts());
    double busy = Math.min(100, 100 * (worked + waited));
    var throttled = throttled(rank);
    if (throttled != null) {
      clockMHz *= 0.93;
      reasons = throttled.reasons();
    }
    var straggler = straggler(rank);
    if (straggler != null) {
      if (straggler.cause() == Straggler.Cause.GPU_THROTTLED) {
        clockMHz *= 1 / (1 + straggler.share());
        watts *= 0.75;
        reasons = THERMAL;
      } else if (straggler.cause() == Straggler.Cause.GPU_CONTENDED) {
        memory += 6_000;
        busy = 100;
        watts = machine.busyWatts() * 1.1;
        clockMHz *= 0.88;
        reasons = POWER_CAP;
      }
    }
    boolean broken = broken(rank, GpuFault.Broken.Sign.READING);
    return new GpuReading(
        gpu,
        machine.busId(gpu),
        "GPU-%08x-%04x".formatted(plan.seed() & 0xffff_ffffL, node * 8 + gpu),
        machine.gpuName(),
        (double) Math.round(busy),
        memory,
        81_559.0,
        broken ? null : (Double) (watts * (0.98 + 0.04 * random.nextDouble())),
        machine.busyWatts() * 1.3,
        35 + 30 * worked,
        clockMHz,
        machine.clockMHz(),
        reasons,
        broken(rank, GpuFault.Broken.Sign.ECC) ? 2L : 0L,
        broken ? "power.draw: ERR!" : null,
        null);
  }

  private GpuFault.@Nullable Throttled throttled(int rank) {
    var fault = plan.fault(GpuFault.Throttled.class).orElse(null);
    return fault != null
            && fault.rank() == rank
            && stepOfRank[rank] >= fault.fromStep()
            && stepOfRank[rank] < fault.toStep()
        ? fault
        : null;
  }

  private boolean broken(int rank, GpuFault.Broken.Sign sign) {
    return plan.fault(GpuFault.Broken.class)
        .filter(fault -> fault.rank() == rank && fault.sign() == sign)
        .map(fault -> stepOfRank[rank] >= fault.step())
        .orElse(false);
  }

  private int rankOf(int gpu) {
    int pod = gpu / plan.gpusPerPod();
    return pod < plan.podsPerNode()
        ? (node * plan.podsPerNode() + pod) * plan.gpusPerPod() + gpu % plan.gpusPerPod()
        : -1;
  }

  private @Nullable Straggler straggler(int rank) {
    if (rank < 0) {
      return null;
    }
    int step = stepOfRank[rank];
    for (var fault : plan.faults()) {
      if (fault instanceof Straggler straggler
          && straggler.rank() == rank
          && step >= straggler.fromStep()
          && step < straggler.toStep()) {
        return straggler;
      }
    }
    return null;
  }

  /// Shares of the last second in which the GPU worked and in which it waited.
  private double[] shares(int rank, double at) {
    double from = at - 1;
    double worked = 0;
    double waited = 0;
    int step = stepOfRank[rank];
    while (step + 1 < timeline.steps() && timeline.stepEnd(step, rank) <= from) {
      step++;
    }
    stepOfRank[rank] = step;
    boolean stopped =
        plan.fault(PaceFault.Hang.class).map(hang -> hang.rank() == rank).orElse(false)
            || plan.fault(ProcessFault.Crash.class).map(crash -> crash.rank() == rank).orElse(false)
            || plan.has(ProcessFault.Death.class);
    for (; step < timeline.steps() && timeline.stepBegin(step, rank) < at; step++) {
      double idleEnd = timeline.idleEnd(step, rank);
      double computeEnd = timeline.computeEnd(step, rank);
      double end = timeline.stepEnd(step, rank);
      if (Double.isInfinite(end) && stopped) {
        break;
      }
      worked += overlap(from, at, idleEnd, computeEnd);
      waited += overlap(from, at, computeEnd, end);
      if (Double.isInfinite(end)) {
        break;
      }
    }
    return new double[] {Math.min(1, worked), Math.min(1 - Math.min(1, worked), waited)};
  }

  private static double overlap(double from, double to, double begin, double end) {
    return Math.max(0, Math.min(to, end) - Math.max(from, begin));
  }
}
