package io.ringside.lab.simulate;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// When each rank calls each collective, and what its GPU does meanwhile. Times are seconds of true
/// time since the run's start.
///
/// Causes come before effects: a collective begins when its last rank's GPU reaches it and ends for
/// all at once; a rank's program runs ahead of its GPU by no more than the schedule's depth, and
/// waits for it at the end of every so many steps. So a slow program shows in the rank's own calls,
/// and in nobody else's but through the wait for it; a slow GPU shows in calls only where the
/// program waits for it before calling. What a program that runs ahead is late by costs nothing
/// until its GPU has nothing left to do.
final class Timeline {
  private static final double CALL_GAP = 0.00015;
  private static final double COMMUNICATION = 0.15;

  /// All call, and no call is ever done: they cannot connect.
  private static final int NOBODY = -2;

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
  private final double[][] waited;
  private final double[] host;
  private final double[][] gpu; // stream, rank: communicators share streams as the ranks' GPU does
  private final double[][] recent; // when the last calls were done: place in the queue, rank
  private final int[] queued;
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
    waited = new double[steps][ranks];
    host = new double[ranks];
    Arrays.fill(host, begin);
    gpu = new double[plan.schedule().comms().size()][ranks];
    recent = new double[plan.schedule().depth()][ranks];
    queued = new int[ranks];
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
            .or(
                () ->
                    plan.fault(ProcessFault.Death.class)
                        .map(death -> new Stop(death.rank(), death.step())))
            .or(() -> plan.fault(NetworkFault.PartialFallback.class).map(_ -> new Stop(NOBODY, 0)))
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
        lateSince =
            now.stream().mapToDouble(straggler -> felt(step, straggler.rank())).min().orElseThrow();
      }
      lateUntil =
          now.stream().mapToDouble(straggler -> called(step, straggler.rank())).max().orElseThrow();
      lateSteps++;
      lateLast += now.stream().anyMatch(straggler -> isLast(step, straggler.rank())) ? 1 : 0;
    }
  }

  /// When the first of those who call together with the rank called.
  private double felt(int step, int rank) {
    int call = firstCallOf(step, rank);
    int comm = plan.schedule().calls().get(call).comm();
    double first = Double.POSITIVE_INFINITY;
    for (int other = 0; other < ranks; other++) {
      if (layout.group(comm, other) == layout.group(comm, rank)
          && enqueued[step][call][other] < first) {
        first = enqueued[step][call][other];
      }
    }
    return first;
  }

  private double called(int step, int rank) {
    return enqueued[step][firstCallOf(step, rank)][rank];
  }

  private int firstCallOf(int step, int rank) {
    for (int call = 0; call < calls; call++) {
      if (!Double.isNaN(enqueued[step][call][rank])) {
        return call;
      }
    }
    return 0;
  }

  /// Whether the rank is the last to make its first call of the step, of those who make it
  /// together.
  private boolean isLast(int step, int rank) {
    int call = firstCallOf(step, rank);
    int comm = plan.schedule().calls().get(call).comm();
    for (int other = 0; other < ranks; other++) {
      if (layout.group(comm, other) == layout.group(comm, rank)
          && enqueued[step][call][other] > enqueued[step][call][rank]) {
        return false;
      }
    }
    return true;
  }

  /// @param stopped a rank that never calls, -1 for none
  /// @return when the others began to wait for it
  private double step(int step, boolean faulty, int stopped) {
    var schedule = plan.schedule();
    var pipeline = schedule.pipeline();
    var idle = new double[ranks];
    var busy = new double[ranks];
    work.noise(firstStep + step, idle, busy);
    if (faulty) {
      work.faults(step, idle, busy);
    } else {
      // what they would have drawn by chance, so that all else is as with them
      work.faults(step, new double[ranks], new double[ranks]);
    }
    for (int rank = 0; rank < ranks; rank++) {
      boolean synced = schedule.syncEvery() == 1 || step == 0;
      stepBegin[step][rank] = synced ? host[rank] : stepEnd[step - 1][rank];
      host[rank] += idle[rank];
      // the first micro batch comes from the stages before
      host[rank] += pipeline.fill() * layout.stage(rank) * plan.stepSeconds();
      double begin = Math.max(host[rank], gpu[0][rank]);
      idleEnd[step][rank] = synced ? host[rank] : begin;
      if (schedule.blocking()) {
        host[rank] = begin + busy[rank];
        for (var stream : gpu) {
          stream[rank] = Math.max(stream[rank], host[rank]);
        }
        busy[rank] = 0;
      } else {
        gpu[0][rank] = begin;
        for (int comm = 1; comm < gpu.length; comm++) {
          gpu[comm][rank] = Math.max(gpu[comm][rank], begin);
        }
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
    double waiting = Double.NaN;
    var drained = new boolean[ranks];
    var ready = new double[ranks];
    for (int at = 0; at < calls; at++) {
      var call = schedule.calls().get(at);
      int comm = call.comm();
      var reached = new double[layout.groups(comm)];
      Arrays.fill(reached, stopped == NOBODY ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY);
      for (int rank = 0; rank < ranks; rank++) {
        int group = layout.group(comm, rank);
        enqueued[step][at][rank] = Double.NaN;
        ready[rank] = Double.NaN;
        if (!layout.calls(call, firstStep + step, rank)) {
          // what its GPU has to do takes its time all the same
          gpu[0][rank] += busy[rank] / calls;
          continue;
        }
        if (rank == stopped) {
          reached[group] = Double.POSITIVE_INFINITY;
          continue;
        }
        if (call.drained() && !drained[rank]) {
          drained[rank] = true;
          double back =
              schedule.pipeline().drain()
                  * (layout.stages() - 1 - layout.stage(rank))
                  * plan.stepSeconds();
          host[rank] += back;
          gpu[0][rank] = Math.max(gpu[0][rank], host[rank]);
        }
        host[rank] += CALL_GAP * (0.5 + random.nextDouble());
        host[rank] = Math.max(host[rank], recent[queued[rank] % recent.length][rank]);
        if (Double.isInfinite(host[rank])) {
          continue;
        }
        enqueued[step][at][rank] = host[rank];
        if (Double.isNaN(waiting) || host[rank] < waiting) {
          waiting = host[rank];
        }
        ready[rank] =
            Math.max(Math.max(gpu[comm][rank], host[rank]), comm == 0 ? 0 : gpu[0][rank])
                + busy[rank] / calls;
        gpu[0][rank] = Math.max(gpu[0][rank], ready[rank]);
        reached[group] = Math.max(reached[group], ready[rank]);
      }
      for (int rank = 0; rank < ranks; rank++) {
        if (layout.calls(call, firstStep + step, rank)) {
          double begun = reached[layout.group(comm, rank)];
          double done = begun + duration;
          recent[queued[rank]++ % recent.length][rank] = done;
          gpu[comm][rank] = done;
          if (Double.isFinite(begun) && !Double.isNaN(ready[rank])) {
            waited[step][rank] += begun - ready[rank];
          }
        }
      }
    }
    end(step, busy, stopped);
    return waiting;
  }

  private void end(int step, double[] busy, int stopped) {
    var schedule = plan.schedule();
    boolean sync = (firstStep + step + 1) % schedule.syncEvery() == 0;
    for (int rank = 0; rank < ranks; rank++) {
      double done = host[rank];
      for (var stream : gpu) {
        done = Math.max(done, stream[rank]);
      }
      if (sync || Double.isInfinite(done)) {
        host[rank] = done;
      }
      if (!schedule.blocking()) {
        // work and waits take turns on the GPU: told as if the work came first
        computeEnd[step][rank] = Math.min(done, idleEnd[step][rank] + busy[rank]);
      }
      stepEnd[step][rank] = rank == stopped ? Double.POSITIVE_INFINITY : done;
    }
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
    for (int step = 0; step < steps; step++) {
      for (int call = 0; call < calls; call++) {
        if (list.get(call).comm() == comm && !Double.isNaN(enqueued[step][call][rank])) {
          return enqueued[step][call][rank];
        }
      }
      if (Double.isInfinite(stepEnd[step][rank])) {
        break;
      }
    }
    return Double.NaN;
  }

  /// When the rank made its first call of all, NaN if it never did.
  double firstCall(int rank) {
    for (int call = 0; call < calls; call++) {
      if (!Double.isNaN(enqueued[0][call][rank])) {
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

  /// When each step is over on its last rank.
  List<Double> stepEnds() {
    return Arrays.stream(stepEnd).map(ends -> Arrays.stream(ends).max().orElseThrow()).toList();
  }

  /// When the others first waited for a straggler, NaN without one.
  double lateSince() {
    return lateSince;
  }

  /// In which share of its slow steps a straggler was the last of all: others may be slower by
  /// chance.
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

  /// Which share of their time GPUs wait for others in some steps.
  ///
  /// @param to exclusive
  double waitShare(int from, int to) {
    double all = 0;
    for (int step = from; step < to; step++) {
      for (int rank = 0; rank < ranks; rank++) {
        all += waited[step][rank];
      }
    }
    return all / ranks / (stepEnd[to - 1][0] - stepBegin[from][0]);
  }

  /// For how many seconds on end ranks wait for at least this share of their time, in the stretch
  /// in which they lose most beyond it. Checkpoints and evaluations are left out.
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
      if (work.duty(firstStep + step)) {
        continue;
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
