package io.ringside.lab.simulate;

import io.ringside.lab.simulate.PaceFault.MovingLoad;
import io.ringside.lab.simulate.PaceFault.SlowerSteps;
import io.ringside.lab.simulate.PaceFault.Straggler;
import io.ringside.lab.simulate.Schedule.Span;
import java.util.random.RandomGenerator;

/// How long each rank's program idles before its GPU has work in a step, and how long that work
/// takes: healthy noise, and what faults add to it.
final class Work {
  private static final int SHORTEST_HOLD = 10;

  /// Embedding and head make the first and last stage unlike the others, by up to this share.
  private static final double STAGES = 0.1;

  private final JobPlan plan;
  private final Layout layout;
  private final RandomGenerator random;
  private final Held held;
  private final double[] shard;
  private int loaded = -1;

  /// Stretches of data that take longer, by rank.
  private record Held(int[] until, double[] share) {}

  Work(JobPlan plan, Layout layout, RandomGenerator random) {
    this.plan = plan;
    this.layout = layout;
    this.random = random;
    held = new Held(new int[plan.ranks()], new double[plan.ranks()]);
    shard = new double[plan.ranks()];
    var stages = new double[layout.stages()];
    for (int stage = 0; stage < stages.length; stage++) {
      stages[stage] = 1 + STAGES * random.nextDouble();
    }
    boolean programs = plan.schedule().comms().contains(Span.PROGRAMS);
    double second = programs ? 0.5 + random.nextDouble() : 1;
    for (int rank = 0; rank < shard.length; rank++) {
      shard[rank] =
          (1 + plan.noise().unevenness().imbalance() * random.nextDouble())
              * (plan.schedule().pipeline().stages() > 1 ? stages[layout.stage(rank)] : 1)
              * (programs && layout.program(rank) == 1 ? second : 1);
    }
  }

  /// Adds one step's noise.
  ///
  /// @param step since the run's start: its first ones are slow
  void noise(int step, double[] idle, double[] work) {
    double base = plan.stepSeconds();
    double first = step < 3 ? (step == 0 ? 4 : 0.6) * Math.min(5, 1 + base) : 0;
    for (int rank = 0; rank < plan.ranks(); rank++) {
      work[rank] = base * shard[rank] * unevenness(step, rank);
      idle[rank] += first * (0.6 + 0.4 * random.nextDouble());
    }
    pauses(step, idle);
    duties(step, idle, work);
  }

  private double unevenness(int step, int rank) {
    var of = plan.noise().unevenness();
    double times =
        Math.exp(of.jitter() * random.nextGaussian()) * (1 + 0.005 * random.nextDouble());
    if (of.tail() > 0 && random.nextDouble() < of.tail()) {
      // sequences are cut somewhere: nothing takes more than three times as long
      times +=
          Math.min(2, of.tailShare() * Math.pow(1 - random.nextDouble(), -1 / of.tailExponent()));
    }
    if (of.held() > 0 && step >= held.until()[rank] && random.nextDouble() < of.held()) {
      held.until()[rank] =
          step + SHORTEST_HOLD + random.nextInt(Math.max(1, of.heldSteps() - SHORTEST_HOLD));
      held.share()[rank] = of.heldShare() * (0.5 + random.nextDouble());
    }
    return times + (step < held.until()[rank] ? held.share()[rank] : 0);
  }

  private void pauses(int step, double[] idle) {
    var of = plan.noise().pauses();
    int stalled = random.nextDouble() < of.loaderPerStep() ? random.nextInt(plan.nodes()) : -1;
    double stall = around(of.loaderSeconds());
    for (int rank = 0; rank < idle.length; rank++) {
      if (of.collectEvery() > 0 && (step + 7 * rank) % of.collectEvery() == 0) {
        idle[rank] += of.collectSeconds() * (0.7 + 0.6 * random.nextDouble());
      }
      if (random.nextDouble() < of.perStep()) {
        idle[rank] += around(of.seconds());
      }
      if (layout.place(rank).node() == stalled) {
        idle[rank] += stall;
      }
    }
  }

  /// Log-normal, as waits for disks and networks are: half within 0.6 and 1.7 of the median.
  private double around(double median) {
    return median * Math.exp(0.8 * random.nextGaussian());
  }

  /// Whether the job does something beside its work in a step: the wait for rank 0 is no wait of
  /// the training's.
  boolean duty(int step) {
    var of = plan.noise().duties();
    return due(step, of.checkpointEvery()) || due(step, of.evaluateEvery());
  }

  private void duties(int step, double[] idle, double[] work) {
    var of = plan.noise().duties();
    if (due(step, of.checkpointEvery())) {
      for (int rank = 0; rank < idle.length; rank++) {
        idle[rank] += of.checkpointSeconds() * (0.9 + 0.1 * random.nextDouble());
      }
      idle[0] += of.checkpointAlone() * (0.7 + 0.6 * random.nextDouble());
    }
    if (due(step, of.evaluateEvery())) {
      for (int rank = 0; rank < idle.length; rank++) {
        work[rank] += of.evaluateSeconds() * (0.95 + 0.1 * random.nextDouble());
      }
      work[0] += of.evaluateAlone() * (0.8 + 0.4 * random.nextDouble());
    }
    if (of.logEvery() > 0 && step % of.logEvery() == 0) {
      idle[0] += of.logSeconds() * (0.5 + random.nextDouble());
    }
  }

  private static boolean due(int step, int every) {
    return every > 0 && step > 0 && step % every == 0;
  }

  /// Adds what the plan's faults do to one of its steps.
  void faults(int step, double[] idle, double[] work) {
    for (var fault : plan.faults(SlowerSteps.class)) {
      for (int rank = 0; step >= fault.fromStep() && rank < work.length; rank++) {
        work[rank] *= fault.ratio();
      }
    }
    for (var straggler : plan.faults(Straggler.class)) {
      if (straggler.in(step)) {
        delay(straggler.cause().gpu() ? work : idle, straggler.rank(), straggler.share());
      }
    }
    for (var moving : plan.faults(MovingLoad.class)) {
      if (step >= moving.fromStep() && step < moving.toStep()) {
        int next = random.nextInt(plan.ranks() - (loaded < 0 ? 0 : 1));
        loaded = loaded >= 0 && next >= loaded ? next + 1 : next;
        delay(idle, loaded, moving.share());
      }
    }
  }

  private void delay(double[] seconds, int rank, double share) {
    seconds[rank] += share * (0.85 + 0.3 * random.nextDouble()) * plan.stepSeconds();
  }
}
