package io.ringside.lab.simulate;

import io.ringside.lab.simulate.Layout.Place;
import java.util.List;
import java.util.random.RandomGenerator;

/// What PyTorch's watchdogs say of a hang: each of the process group in which its rank waits, with that
/// group's own numbers.
final class HangLines {
  private final JobPlan plan;
  private final Layout layout;
  private final Timeline timeline;
  private final List<Line> lines;
  private final RandomGenerator random;

  HangLines(
      JobPlan plan, Layout layout, Timeline timeline, List<Line> lines, RandomGenerator random) {
    this.plan = plan;
    this.layout = layout;
    this.timeline = timeline;
    this.lines = lines;
    this.random = random;
  }

  void write(Place place, PaceFault.Hang hang) {
    var calls = plan.schedule().calls();
    double at = timeline.stoppedAt() + hang.timeoutSeconds() + 0.05 + 0.02 * random.nextDouble();
    int comm = calls.getFirst().comm();
    if (place.rank() == hang.rank()) {
      if (hang.culpritAnswers()) {
        long before = enqueued(hang.step(), comm, place, -1);
        dump(place, at + 6, comm, before, before);
      }
      return;
    }
    if (plan.schedule().split() == Schedule.Split.PODS
        && layout.group(1, place.rank()) != layout.group(1, hang.rank())) {
      comm = 0; // its own pod's calls went through
    }
    long before = enqueued(hang.step(), comm, place, -1);
    long now = enqueued(hang.step(), comm, place, calls.size());
    error(
        place,
        at,
        "ProcessGroupNCCL.cpp:689",
        "[Rank %d] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=%d, OpType=%s, NumelIn=33554432, NumelOut=8388608, Timeout(ms)=%d) ran for %d milliseconds before timing out."
            .formatted(
                layout.rankIn(comm, place.rank()),
                before + 1,
                "ALLREDUCE",
                Math.round(hang.timeoutSeconds() * 1000),
                Math.round(hang.timeoutSeconds() * 1000) + 44));
    error(
        place,
        at + 0.0002,
        "ProcessGroupNCCL.cpp:2303",
        "%s  failure detected by watchdog at work sequence id: %d PG status: last enqueued work: %d, last completed work: %d"
            .formatted(group(place, comm), before + 1, now, before));
    dump(place, at + 6 + random.nextDouble(), comm, now, before);
  }

  /// How many calls of a communicator the rank made before a step, and in its first calls.
  private long enqueued(int step, int comm, Place place, int until) {
    var calls = plan.schedule().calls();
    long count = step * calls.stream().filter(call -> call.comm() == comm).count();
    for (int call = 0; call < until; call++) {
      boolean made = Double.isFinite(timeline.enqueued(step, call, place.rank()));
      count += made && calls.get(call).comm() == comm ? 1 : 0;
    }
    return count;
  }

  private String group(Place place, int comm) {
    return comm == 0
        ? "[PG ID 0 PG GUID 0(default_pg) Rank %d]".formatted(place.rank())
        : "[PG ID 1 PG GUID %d Rank %d]"
            .formatted(1 + layout.group(1, place.rank()), layout.rankIn(1, place.rank()));
  }

  private void dump(Place place, double at, int comm, long enqueued, long completed) {
    error(
        place,
        at,
        "ProcessGroupNCCL.cpp:1849",
        group(place, comm)
            + " Observed flight recorder dump signal from another rank via TCPStore.");
    error(
        place,
        at + 0.0002,
        "ProcessGroupNCCL.cpp:1914",
        "%s Received a dump signal due to a collective timeout from  rank 0 and we will try our best to dump the debug info. Last enqueued NCCL work: %d, last completed NCCL work: %d.This is most likely caused by incorrect usages of collectives, e.g., wrong sizes used across ranks"
            .formatted(group(place, comm), enqueued, completed));
  }

  private void error(Place place, double at, String where, String message) {
    lines.add(
        new Line(
            at,
            place.pid(),
            Line.Kind.OTHER,
            "[rank%d]:[E1120 20:30:45.909273672 %s] %s".formatted(place.rank(), where, message)));
  }
}
