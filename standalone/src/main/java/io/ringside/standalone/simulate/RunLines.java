package io.ringside.standalone.simulate;

import io.ringside.standalone.simulate.Layout.Place;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/// What a pod prints while it trains: collectives of its ranks, chatter of its program, and in the end
/// the words of a finished or a hanging run.
final class RunLines {
  private final JobPlan plan;
  private final Layout layout;
  private final Timeline timeline;
  private final List<Line> lines;
  private final RandomGenerator random;

  RunLines(
      JobPlan plan, Layout layout, Timeline timeline, List<Line> lines, RandomGenerator random) {
    this.plan = plan;
    this.layout = layout;
    this.timeline = timeline;
    this.lines = lines;
    this.random = random;
  }

  /// The calls of one rank.
  void calls(Place place) {
    var calls = plan.schedule().calls();
    var before = new String[calls.size()];
    var after = new String[calls.size()];
    for (int i = 0; i < calls.size(); i++) {
      var call = calls.get(i);
      before[i] =
          "%s:%d:%d [%d] NCCL INFO %s: opCount "
              .formatted(place.host(), place.pid(), place.pid(), place.local(), call.op());
      after[i] =
          " sendbuff 0x7f%02x%08x recvbuff 0x7f%02x%08x count %d datatype 9 op 0 root 0 comm %s [nranks=%d] stream %s"
              .formatted(
                  place.rank() & 255,
                  0xa000_0000 + i * 4096,
                  place.rank() & 255,
                  0xb000_0000 + i * 4096,
                  call.count(),
                  call.comm() == 0 ? place.worldPointer() : place.splitPointer(),
                  call.comm() == 0 ? plan.ranks() : layout.splitSize(place.rank()),
                  "0x5581" + Integer.toHexString(0x10_0000 + place.rank()));
    }
    boolean counts =
        !plan.version().countsNetworkOnly()
            || (plan.pods() > 1 && layout.hasNetworkEdge(place.rank()));
    long[] count = new long[2];
    for (int step = 0; step < timeline.steps(); step++) {
      for (int i = 0; i < before.length; i++) {
        double at = timeline.enqueued(step, i, place.rank());
        if (!Double.isFinite(at)) {
          continue;
        }
        int comm = calls.get(i).comm();
        lines.add(
            new Line(
                at,
                place.pid(),
                Line.Kind.NCCL,
                before[i] + Long.toHexString(counts ? count[comm]++ : 0) + after[i]));
      }
    }
  }

  /// What a pod's program says beside that.
  void chatter(int pod) {
    int rank = pod * plan.gpusPerPod();
    int pid = layout.place(rank).pid();
    double rate = plan.noise().chatter();
    for (int step = 0; step < timeline.steps(); step++) {
      double at = timeline.stepBegin(step, rank);
      if (!Double.isFinite(at)) {
        return;
      }
      for (double left = rate; left > random.nextDouble(); left--) {
        other(at + 0.0004 * left, pid, words(step));
      }
      if (random.nextDouble() < 0.002) {
        for (int i = 0; i < 40; i++) {
          other(at + 0.00002 * i, pid, "  warnings.warn(\"line %d of a burst\")".formatted(i));
        }
      }
    }
  }

  private String words(int step) {
    return switch (random.nextInt(3)) {
      case 0 ->
          String.format(
              Locale.ROOT,
              "step %d/%d compute_ms=%.2f comm_ms=%.2f",
              step,
              plan.steps(),
              1000 * plan.stepSeconds(),
              150 * plan.stepSeconds());
      case 1 ->
          "{'loss': 1.%04d, 'grad_norm': 0.7%03d, 'epoch': 0.1}"
              .formatted(step % 10_000, step % 1000);
      default -> "DataLoader worker %d prefetched shard %d".formatted(step % 8, step);
    };
  }

  /// The end of a run that was not killed.
  void end(Place place) {
    double at = timeline.stepEnd(timeline.steps() - 1, place.rank());
    if (!Double.isFinite(at)) {
      return;
    }
    if (plan.version().showsDestroy()) {
      lines.add(
          new Line(
              at + 0.05 + 0.3 * random.nextDouble(),
              place.pid(),
              Line.Kind.NCCL,
              "%s:%d:%d [%d] NCCL INFO comm %s rank %d nranks %d cudaDev %d busId %s - Destroy COMPLETE"
                  .formatted(
                      place.host(),
                      place.pid(),
                      place.pid(),
                      place.local(),
                      place.worldPointer(),
                      place.rank(),
                      plan.ranks(),
                      place.local(),
                      plan.machine().packedBusId(place.gpu()))));
    }
  }

  /// What PyTorch's watchdog of the rank says of a hang: of the process group in which it waits, with that
  /// group's own numbers.
  void hang(Place place, Fault.Hang hang) {
    var calls = plan.schedule().calls();
    double at = timeline.hangAt() + hang.timeoutSeconds() + 0.05 + 0.02 * random.nextDouble();
    int comm = calls.getFirst().comm();
    if (place.rank() == hang.rank()) {
      if (hang.culpritAnswers()) {
        long before = enqueued(hang.step(), comm, place, -1);
        dump(place, at + 6, comm, before, before);
      }
      return;
    }
    if (plan.schedule().split() == Schedule.Split.PODS
        && layout.group(place.rank()) != layout.group(hang.rank())) {
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
                comm == 0 ? place.rank() : layout.rankInSplit(place.rank()),
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
            .formatted(1 + layout.group(place.rank()), layout.rankInSplit(place.rank()));
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
    other(
        at,
        place.pid(),
        "[rank%d]:[E1120 20:30:45.909273672 %s] %s".formatted(place.rank(), where, message));
  }

  private void other(double at, int pid, String text) {
    lines.add(new Line(at, pid, Line.Kind.OTHER, text));
  }
}
