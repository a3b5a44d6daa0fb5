package io.ringside.lab.simulate;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

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

  /// By which share of a step each stage of a pipeline begins after the one before it.
  private static final double PIPELINE_FILL = 0.1;

  private final JobPlan plan;
  private final Layout layout;
  private final RandomGenerator random;
  private final Work work;
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
  private double lateSince = Double.NaN;
  private double lateUntil = Double.NaN;
  private int lateSteps;
  private int lateLast;
  private double stoppedAt = Double.NaN;

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
    work = new Work(plan, layout, random);
    run(faulty);
  }

  /// A rank that makes no more calls from a step on.
  private record Stop(int rank, int step) {}

  private void run(boolean faulty) {
    var stop =
        plan.fault(PaceFault.Hang.class)
            .map(hang -> new Stop(hang.rank(), hang.step()))
            .or(
                () ->
                    plan.fault(ProcessFault.Crash.class)
                        .map(crash -> new Stop(crash.rank(), crash.step())))
            .filter(_ -> faulty)
            .orElse(null);
    var late = faulty ? plan.faults(PaceFault.Straggler.class) : List.<PaceFault.Straggler>of();
    for (int step = 0; step < steps; step++) {
      if (stop != null && step == stop.step()) {
        stoppedAt = step(step, faulty, stop.rank());
        nothingAfter(step);
        return;
      }
      step(step, faulty, -1);
      note(step, late);
    }
  }

  private void nothingAfter(int step) {
    for (int rest = step + 1; rest < steps; rest++) {
      for (var call : enqueued[rest]) {
        Arrays.fill(call, Double.NaN);
      }
      System.arraycopy(stepEnd[step], 0, stepBegin[rest], 0, ranks);
      System.arraycopy(stepEnd[step], 0, idleEnd[rest], 0, ranks);
      System.arraycopy(stepEnd[step], 0, computeEnd[rest], 0, ranks);
      Arrays.fill(stepEnd[rest], Double.POSITIVE_INFINITY);
    }
  }

  private void note(int step, List<PaceFault.Straggler> late) {
    var now = late.stream().filter(straggler -> straggler.in(step)).toList();
    if (!now.isEmpty()) {
      if (Double.isNaN(lateSince)) {
        lateSince = Arrays.stream(enqueued[step][0]).min().orElseThrow();
      }
      lateUntil =
          now.stream()
              .mapToDouble(straggler -> enqueued[step][0][straggler.rank()])
              .max()
              .orElseThrow();
      lateSteps++;
      lateLast += now.stream().anyMatch(straggler -> isLast(step, straggler.rank())) ? 1 : 0;
    }
  }

  /// Whether the rank is the last to make the step's first call, of those who make it together.
  private boolean isLast(int step, int rank) {
    int comm = plan.schedule().calls().getFirst().comm();
    for (int other = 0; other < ranks; other++) {
      if (layout.group(comm, other) == layout.group(comm, rank)
          && enqueued[step][0][other] > enqueued[step][0][rank]) {
        return false;
      }
    }
    return true;
  }

  /// @param stopped a rank that never calls, -1 for none
  /// @return when the others began to wait for it
  private double step(int step, boolean faulty, int stopped) {
    var schedule = plan.schedule();
    var idle = new double[ranks];
    var busy = new double[ranks];
    work.noise(firstStep + step, idle, busy);
    if (faulty) {
      work.faults(step, idle, busy);
    }
    for (int rank = 0; rank < ranks; rank++) {
      stepBegin[step][rank] = host[rank];
      host[rank] += idle[rank];
      if (schedule.groupsOnly()) {
        // the first micro batch comes from the stages before
        host[rank] += PIPELINE_FILL * layout.place(rank).pod() * plan.stepSeconds();
      }
      idleEnd[step][rank] = host[rank];
      double begin = Math.max(host[rank], gpu[0][rank]);
      if (schedule.blocking()) {
        host[rank] = begin + busy[rank];
        gpu[0][rank] = host[rank];
        gpu[1][rank] = host[rank];
        busy[rank] = 0;
      } else {
        gpu[0][rank] = begin;
        gpu[1][rank] = Math.max(gpu[1][rank], begin);
      }
      computeEnd[step][rank] = host[rank];
    }
    double waiting = collectives(step, busy, stopped);
    if (schedule.groupsOnly()) {
      // a step is over when the gradients have gone back through all stages
      double flushed = Arrays.stream(host).max().orElseThrow();
      Arrays.fill(host, flushed);
      Arrays.fill(stepEnd[step], flushed);
    }
    return waiting;
  }

  private double collectives(int step, double[] busy, int stopped) {
    var schedule = plan.schedule();
    double duration = COMMUNICATION * plan.stepSeconds() / calls;
    var done = new double[calls][ranks];
    double waiting = Double.NaN;
    for (int call = 0; call < calls; call++) {
      int comm = schedule.calls().get(call).comm();
      var reached = new double[layout.groups(comm)];
      Arrays.fill(reached, Double.NEGATIVE_INFINITY);
      for (int rank = 0; rank < ranks; rank++) {
        int group = layout.group(comm, rank);
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
                + busy[rank] / calls;
        gpu[0][rank] = Math.max(gpu[0][rank], ready);
        reached[group] = Math.max(reached[group], ready);
        computeEnd[step][rank] = Math.max(computeEnd[step][rank], idleEnd[step][rank]);
      }
      for (int rank = 0; rank < ranks; rank++) {
        done[call][rank] = reached[layout.group(comm, rank)] + duration;
        gpu[comm][rank] = done[call][rank];
      }
    }
    for (int rank = 0; rank < ranks; rank++) {
      host[rank] = Math.max(host[rank], Math.max(gpu[0][rank], gpu[1][rank]));
      if (!schedule.blocking()) {
        // work and waits take turns on the GPU: told as if the work came first
        computeEnd[step][rank] = Math.min(host[rank], idleEnd[step][rank] + busy[rank]);
      }
      stepEnd[step][rank] = rank == stopped ? Double.POSITIVE_INFINITY : host[rank];
    }
    return waiting;
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

  /// Infinite once a rank has stopped.
  double stepEnd(int step, int rank) {
    return stepEnd[step][rank];
  }

  /// When the last rank was through, or began to wait for the one that stopped.
  double end() {
    return Double.isNaN(stoppedAt)
        ? Arrays.stream(stepEnd[steps - 1]).max().orElseThrow()
        : stoppedAt;
  }

  /// When the others first waited for a straggler, NaN without one.
  double lateSince() {
    return lateSince;
  }

  /// In which share of its slow steps a straggler was the last of all: others may be slower by chance.
  double lateLast() {
    return lateSteps == 0 ? 0 : lateLast / (double) lateSteps;
  }

  /// When a straggler was late for the last time.
  double lateUntil() {
    return lateUntil;
  }

  /// When the first rank began to wait for ever, NaN if none stops.
  double stoppedAt() {
    return stoppedAt;
  }

  /// Which share of their time ranks wait in the first calls of some steps.
  ///
  /// @param to exclusive
  double waitShare(int from, int to) {
    double waited = 0;
    for (int step = from; step < to; step++) {
      double last = Arrays.stream(enqueued[step][0]).max().orElseThrow();
      for (int rank = 0; rank < ranks; rank++) {
        waited += last - enqueued[step][0][rank];
      }
    }
    return waited / ranks / (stepEnd[to - 1][0] - stepBegin[from][0]);
  }

  /// For how many seconds on end ranks wait for at least this share of their time, in the stretch in which they lose most
  /// beyond it.
  double secondsWaited(double share) {
    double most = 0;
    double longest = 0;
    double excess = 0;
    int from = 0;
    for (int step = 0; step < steps && Double.isFinite(stepEnd[step][0]); step++) {
      if (excess <= 0) {
        excess = 0;
        from = step;
      }
      excess += (waitShare(step, step + 1) - share) * seconds(step, step + 1);
      if (excess > most) {
        most = excess;
        longest = seconds(from, step + 1);
      }
    }
    return longest;
  }

  /// Seconds from the begin of one step to that of another, on rank 0.
  double seconds(int from, int to) {
    return stepEnd[to - 1][0] - stepBegin[from][0];
  }
}
