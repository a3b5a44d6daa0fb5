package io.ringside.standalone.simulate;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// When each rank calls each collective, and what its GPU does meanwhile. Times are seconds of true time
/// since the run's start.
///
/// Causes come before effects: a collective begins when its last rank's GPU reaches it and ends for all
/// at once; a rank's program runs ahead of its GPU by no more than the schedule's depth, and waits for it
/// at the end of the step. So a slow program shows in the rank's own calls, and in nobody else's but
/// through the wait for it; a slow GPU shows in calls only where the program waits for it before calling.
final class Timeline {
  private static final double CALL_GAP = 0.00015;
  private static final double COMMUNICATION = 0.15;
  private static final double TAIL_CHANCE = 0.1;

  private final JobPlan plan;
  private final Layout layout;
  private final RandomGenerator random;
  private final int ranks;
  private final int calls;
  private final int firstStep;
  private final int steps;
  private final double[][][] enqueued; // step, call, rank
  private final double[][] stepBegin; // step, rank
  private final double[][] idleEnd;
  private final double[][] computeEnd;
  private final double[][] stepEnd;
  private final double[] host;
  private final double[][] gpu; // stream, rank
  private final double[] imbalance;
  private double stragglerSince = Double.NaN;
  private double stragglerUntil = Double.NaN;
  private int stragglerSteps;
  private int stragglerLast;
  private double hangAt = Double.NaN;

  /// @param firstStep number of the first step: those of a run's start are slow
  /// @param faulty whether the plan's faults happen
  Timeline(
      JobPlan plan,
      Layout layout,
      double begin,
      int firstStep,
      int steps,
      boolean faulty,
      RandomGenerator random) {
    this.plan = plan;
    this.firstStep = firstStep;
    this.layout = layout;
    this.random = random;
    this.steps = steps;
    ranks = plan.ranks();
    calls = plan.schedule().calls().size();
    enqueued = new double[steps][calls][ranks];
    stepBegin = new double[steps][ranks];
    idleEnd = new double[steps][ranks];
    computeEnd = new double[steps][ranks];
    stepEnd = new double[steps][ranks];
    host = new double[ranks];
    Arrays.fill(host, begin);
    gpu = new double[2][ranks];
    imbalance = new double[ranks];
    for (int rank = 0; rank < ranks; rank++) {
      imbalance[rank] = 1 + plan.noise().imbalance() * random.nextDouble();
    }
    run(faulty);
  }

  private void run(boolean faulty) {
    var hang = faulty ? plan.fault(Fault.Hang.class).orElse(null) : null;
    var straggler = faulty ? plan.fault(Fault.Straggler.class).orElse(null) : null;
    for (int step = 0; step < steps; step++) {
      if (hang != null && step == hang.step()) {
        hangAt = step(step, null, hang.rank());
        for (int rest = step + 1; rest < steps; rest++) {
          for (var call : enqueued[rest]) {
            Arrays.fill(call, Double.NaN);
          }
          System.arraycopy(stepEnd[step], 0, stepBegin[rest], 0, ranks);
          System.arraycopy(stepEnd[step], 0, idleEnd[rest], 0, ranks);
          System.arraycopy(stepEnd[step], 0, computeEnd[rest], 0, ranks);
          Arrays.fill(stepEnd[rest], Double.POSITIVE_INFINITY);
        }
        return;
      }
      if (straggler != null && step >= straggler.fromStep() && step < straggler.toStep()) {
        step(step, straggler, -1);
        if (Double.isNaN(stragglerSince)) {
          stragglerSince = Arrays.stream(enqueued[step][0]).min().orElseThrow();
        }
        stragglerUntil = enqueued[step][0][straggler.rank()];
        stragglerSteps++;
        stragglerLast += isLast(step, straggler.rank()) ? 1 : 0;
      } else {
        step(step, null, -1);
      }
    }
  }

  /// Whether the rank is the last to make the step's first call, of those who make it together.
  private boolean isLast(int step, int rank) {
    boolean groups = plan.schedule().calls().getFirst().comm() != 0;
    for (int other = 0; other < ranks; other++) {
      if ((!groups || layout.group(other) == layout.group(rank))
          && enqueued[step][0][other] > enqueued[step][0][rank]) {
        return false;
      }
    }
    return true;
  }

  /// @param stopped a rank that never calls, -1 for none
  /// @return when the others began to wait for it
  private double step(int step, Fault.@Nullable Straggler straggler, int stopped) {
    var schedule = plan.schedule();
    var idle = new double[ranks];
    var work = new double[ranks];
    noise(firstStep + step, idle, work);
    if (straggler != null) {
      double share = straggler.share() * (0.85 + 0.3 * random.nextDouble());
      if (straggler.cause().gpu()) {
        work[straggler.rank()] += share * plan.stepSeconds();
      } else {
        idle[straggler.rank()] += share * plan.stepSeconds();
      }
    }
    for (int rank = 0; rank < ranks; rank++) {
      stepBegin[step][rank] = host[rank];
      host[rank] += idle[rank];
      idleEnd[step][rank] = host[rank];
      double begin = Math.max(host[rank], gpu[0][rank]);
      if (schedule.blocking()) {
        host[rank] = begin + work[rank];
        gpu[0][rank] = host[rank];
        gpu[1][rank] = host[rank];
        work[rank] = 0;
      } else {
        gpu[0][rank] = begin;
        gpu[1][rank] = Math.max(gpu[1][rank], begin);
      }
      computeEnd[step][rank] = host[rank];
    }
    return schedule.calls().isEmpty() ? host[0] : collectives(step, work, stopped);
  }

  private double collectives(int step, double[] work, int stopped) {
    var schedule = plan.schedule();
    double duration = COMMUNICATION * plan.stepSeconds() / calls;
    var done = new double[calls][ranks];
    double waiting = Double.NaN;
    for (int call = 0; call < calls; call++) {
      int comm = schedule.calls().get(call).comm();
      var reached = new double[comm == 0 ? 1 : layout.groups()];
      Arrays.fill(reached, Double.NEGATIVE_INFINITY);
      for (int rank = 0; rank < ranks; rank++) {
        int group = comm == 0 ? 0 : layout.group(rank);
        if (rank == stopped) {
          enqueued[step][call][rank] = Double.NaN;
          reached[group] = Double.POSITIVE_INFINITY;
          continue;
        }
        host[rank] += CALL_GAP * (0.5 + random.nextDouble());
        if (call >= schedule.depth()) {
          host[rank] = Math.max(host[rank], done[call - schedule.depth()][rank]);
        }
        if (Double.isInfinite(host[rank])) {
          enqueued[step][call][rank] = Double.NaN;
          continue;
        }
        enqueued[step][call][rank] = host[rank];
        if (Double.isNaN(waiting) || host[rank] < waiting) {
          waiting = host[rank];
        }
        double ready =
            Math.max(Math.max(gpu[comm][rank], host[rank]), comm == 0 ? 0 : gpu[0][rank])
                + work[rank] / calls;
        gpu[0][rank] = Math.max(gpu[0][rank], ready);
        reached[group] = Math.max(reached[group], ready);
        computeEnd[step][rank] = Math.max(computeEnd[step][rank], idleEnd[step][rank]);
      }
      for (int rank = 0; rank < ranks; rank++) {
        done[call][rank] = reached[comm == 0 ? 0 : layout.group(rank)] + duration;
        gpu[comm][rank] = done[call][rank];
      }
    }
    for (int rank = 0; rank < ranks; rank++) {
      host[rank] = Math.max(host[rank], Math.max(gpu[0][rank], gpu[1][rank]));
      if (!schedule.blocking()) {
        // work and waits take turns on the GPU: told as if the work came first
        computeEnd[step][rank] = Math.min(host[rank], idleEnd[step][rank] + work[rank]);
      }
      stepEnd[step][rank] = rank == stopped ? Double.POSITIVE_INFINITY : host[rank];
    }
    return waiting;
  }

  private void noise(int step, double[] idle, double[] work) {
    var noise = plan.noise();
    double base = plan.stepSeconds();
    boolean checkpoint = due(step, noise.checkpointEvery());
    boolean evaluation = due(step, noise.evaluateEvery());
    int stalled = random.nextDouble() < noise.loaderPerStep() ? random.nextInt(plan.nodes()) : -1;
    double stall = 0.2 + 1.8 * random.nextDouble();
    double first = step < 3 ? (step == 0 ? 4 : 0.6) * Math.min(5, 1 + base) : 0;
    for (int rank = 0; rank < ranks; rank++) {
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

  int steps() {
    return steps;
  }

  /// When the rank calls, NaN if it never does.
  double enqueued(int step, int call, int rank) {
    return enqueued[step][call][rank];
  }

  /// When the rank first calls on a communicator, NaN if it never does.
  double firstCall(int comm, int rank) {
    var list = plan.schedule().calls();
    for (int call = 0; call < calls; call++) {
      if (list.get(call).comm() == comm) {
        return enqueued[0][call][rank];
      }
    }
    return Double.NaN;
  }

  double stepBegin(int step, int rank) {
    return stepBegin[step][rank];
  }

  double idleEnd(int step, int rank) {
    return idleEnd[step][rank];
  }

  double computeEnd(int step, int rank) {
    return computeEnd[step][rank];
  }

  /// Infinite once the run hangs.
  double stepEnd(int step, int rank) {
    return stepEnd[step][rank];
  }

  /// When the last rank was through, or the hang began.
  double end() {
    return Double.isNaN(hangAt) ? Arrays.stream(stepEnd[steps - 1]).max().orElseThrow() : hangAt;
  }

  /// When the others first waited for the straggler, NaN without one.
  double stragglerSince() {
    return stragglerSince;
  }

  /// In which share of its slow steps the straggler was the last of all: others may be slower by chance.
  double stragglerLast() {
    return stragglerSteps == 0 ? 0 : stragglerLast / (double) stragglerSteps;
  }

  /// When the straggler was late for the last time.
  double stragglerUntil() {
    return stragglerUntil;
  }

  /// When the first rank began to wait for ever, NaN without a hang.
  double hangAt() {
    return hangAt;
  }
}
