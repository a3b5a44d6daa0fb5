package io.ringside.lab.simulate;

import io.ringside.lab.simulate.Layout.Place;
import java.util.List;
import java.util.random.RandomGenerator;

/// What PyTorch's watchdogs say of a hang: each of the process group in which its rank waits, with
/// that group's own numbers.
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
    double at = timeline.stoppedAt() + hang.timeoutSeconds() + 0.05 + 0.02 * random.nextDouble();
    var stuck = stuck(place, hang);
    int comm = stuck.comm();
    long before = enqueued(hang.step(), comm, place);
    if (place.rank() == hang.rank()) {
      if (hang.culpritAnswers()) {
        dump(place, at + 6, comm, before, before);
      }
      return;
    }
    long now = enqueued(hang.step() + 1, comm, place);
    error(
        place,
        at,
        "ProcessGroupNCCL.cpp:689",
        "[Rank %d] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=%d, OpType=%s, NumelIn=33554432, NumelOut=8388608, Timeout(ms)=%d) ran for %d milliseconds before timing out."
            .formatted(
                layout.rankIn(comm, place.rank()),
                before + 1,
                type(stuck.op()),
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

  /// The call in which a rank waits: the first one of those that it makes with the rank that
  /// stopped, else the last one that it made.
  private Schedule.Call stuck(Place place, PaceFault.Hang hang) {
    var calls = plan.schedule().calls();
    var last = calls.getFirst();
    for (int i = 0; i < calls.size(); i++) {
      var call = calls.get(i);
      if (Double.isFinite(timeline.enqueued(hang.step(), i, place.rank()))) {
        last = call;
      }
      if (layout.calls(call, hang.step(), place.rank())
          && layout.calls(call, hang.step(), hang.rank())
          && layout.group(call.comm(), place.rank()) == layout.group(call.comm(), hang.rank())) {
        return call;
      }
    }
    return last;
  }

  private static String type(String op) {
    return switch (op) {
      case "AllGather" -> "_ALLGATHER_BASE";
      case "ReduceScatter" -> "_REDUCE_SCATTER_BASE";
      case "AlltoAll" -> "ALLTOALL_BASE";
      case "Broadcast" -> "BROADCAST";
      default -> "ALLREDUCE";
    };
  }

  /// How many calls of a communicator the rank made before a step.
  private long enqueued(int before, int comm, Place place) {
    var calls = plan.schedule().calls();
    long count = 0;
    for (int step = 0; step < before; step++) {
      for (int call = 0; call < calls.size(); call++) {
        count +=
            calls.get(call).comm() == comm
                    && Double.isFinite(timeline.enqueued(step, call, place.rank()))
                ? 1
                : 0;
      }
    }
    return count;
  }

  private String group(Place place, int comm) {
    return comm == 0
        ? "[PG ID 0 PG GUID 0(default_pg) Rank %d]".formatted(place.rank())
        : "[PG ID %d PG GUID %d Rank %d]"
            .formatted(
                comm,
                1 + 1000 * (comm - 1) + layout.group(comm, place.rank()),
                layout.rankIn(comm, place.rank()));
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
