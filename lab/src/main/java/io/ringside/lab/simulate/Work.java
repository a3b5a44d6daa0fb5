package io.ringside.lab.simulate;

import io.ringside.lab.simulate.PaceFault.MovingLoad;
import io.ringside.lab.simulate.PaceFault.SlowerSteps;
import io.ringside.lab.simulate.PaceFault.Straggler;
import java.util.random.RandomGenerator;

/// How long each rank's program idles before its GPU has work in a step, and how long that work takes:
/// healthy noise, and what faults add to it.
final class Work {
  private static final double TAIL_CHANCE = 0.1;

  private final JobPlan plan;
  private final Layout layout;
  private final RandomGenerator random;
  private final double[] imbalance;
  private int loaded = -1;

  Work(JobPlan plan, Layout layout, RandomGenerator random) {
    this.plan = plan;
    this.layout = layout;
    this.random = random;
    imbalance = new double[plan.ranks()];
    for (int rank = 0; rank < imbalance.length; rank++) {
      imbalance[rank] = 1 + plan.noise().imbalance() * random.nextDouble();
    }
  }

  /// Adds one step's noise.
  ///
  /// @param step since the run's start: its first ones are slow
  void noise(int step, double[] idle, double[] work) {
    var noise = plan.noise();
    double base = plan.stepSeconds();
    boolean checkpoint = due(step, noise.checkpointEvery());
    boolean evaluation = due(step, noise.evaluateEvery());
    int stalled = random.nextDouble() < noise.loaderPerStep() ? random.nextInt(plan.nodes()) : -1;
    double stall = 0.2 + 1.8 * random.nextDouble();
    double first = step < 3 ? (step == 0 ? 4 : 0.6) * Math.min(5, 1 + base) : 0;
    for (int rank = 0; rank < plan.ranks(); rank++) {
      work[rank] =
          base
              * imbalance[rank]
              * (1 + noise.jitter() * (2 * random.nextDouble() - 1) + 0.01 * random.nextDouble());
      if (noise.tail() > 0 && random.nextDouble() < TAIL_CHANCE) {
        work[rank] -= base * noise.tail() * Math.log(1 - random.nextDouble());
      }
      if (noise.collectEvery() > 0 && (step + 7 * rank) % noise.collectEvery() == 0) {
        idle[rank] += noise.collectSeconds() * (0.7 + 0.6 * random.nextDouble());
      }
      idle[rank] += first * (0.6 + 0.4 * random.nextDouble());
      if (random.nextDouble() < noise.pausesPerStep()) {
        idle[rank] += 0.03 + 0.27 * random.nextDouble();
      }
      if (layout.place(rank).node() == stalled) {
        idle[rank] += stall;
      }
      if (checkpoint) {
        idle[rank] += noise.checkpointSeconds() * (0.9 + 0.1 * random.nextDouble());
      }
      if (evaluation) {
        work[rank] += noise.evaluateSeconds() * (0.95 + 0.1 * random.nextDouble());
      }
    }
    if (checkpoint) {
      idle[0] += noise.checkpointRank0Seconds() * (0.7 + 0.6 * random.nextDouble());
    }
    if (step % 10 == 0) {
      idle[0] += noise.rank0LogSeconds();
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
