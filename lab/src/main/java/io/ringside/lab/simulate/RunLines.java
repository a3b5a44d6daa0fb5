package io.ringside.lab.simulate;

import io.ringside.lab.simulate.Layout.Place;
import java.util.List;
import java.util.random.RandomGenerator;

/// What a pod prints while it trains: collectives of its ranks, chatter of its program, and
/// strangers who speak to its ports.
final class RunLines {
  /// When a stage of a pipeline receives and sends what goes from stage to stage, beside its first
  /// call.
  static final double RECEIVE = -0.0001;

  static final double SEND = 0.00005;

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
      before[i] = header(place) + call.op() + ": opCount ";
      after[i] = arguments(place, call.comm(), call.count(), i);
    }
    boolean counts =
        !plan.version().countsNetworkOnly()
            || (plan.pods() > 1 && layout.hasNetworkEdge(place.rank()));
    double unknown =
        plan.fault(TelemetryFault.UnknownLines.class)
            .map(TelemetryFault.UnknownLines::share)
            .orElse(0.0);
    long[] count = new long[plan.schedule().comms().size()];
    for (int step = 0; step < timeline.steps(); step++) {
      for (int i = 0; i < before.length; i++) {
        double at = timeline.enqueued(step, i, place.rank());
        if (!Double.isFinite(at)) {
          continue;
        }
        int comm = calls.get(i).comm();
        var opCount = Long.toHexString(counts ? count[comm]++ : 0);
        if (calls.get(i).op().equals("AlltoAll") && !plan.version().since(28)) {
          exchange(at, place, opCount, calls.get(i), i);
        } else {
          nccl(at, place, before[i] + opCount + after[i]);
        }
        if (unknown > 0 && random.nextDouble() < unknown) {
          nccl(at, place, header(place) + "Elastic window " + step + " sealed, 3 deferred epochs");
        }
      }
      if (plan.schedule().pipes() >= 0) {
        activations(step, place);
      }
    }
  }

  /// An exchange of all with all before 2.28: a send and a receive for each peer, in one group.
  /// `count` is what goes to one peer.
  private void exchange(double at, Place place, String opCount, Schedule.Call call, int buffer) {
    int peers = Math.min(8, layout.size(call.comm(), place.rank()));
    for (int peer = 0; peer < peers; peer++) {
      for (var op : List.of("Send", "Recv")) {
        nccl(
            at,
            place,
            header(place)
                + op
                + ": opCount "
                + opCount
                + arguments(place, call.comm(), call.count() / peers, buffer + peer)
                    .replace("root 0", "root " + peer));
      }
    }
  }

  /// What a stage of a pipeline sends on to the next one.
  private void activations(int step, Place place) {
    double at = timeline.enqueued(step, 0, place.rank());
    int comm = plan.schedule().pipes();
    if (Double.isFinite(at) && layout.has(comm, place.rank())) {
      int stage = layout.stage(place.rank());
      if (stage > 0) {
        var from = header(place) + "Recv: opCount 0";
        nccl(at + RECEIVE, place, from + arguments(place, comm, 4_194_304, 40));
      }
      if (stage + 1 < layout.stages()) {
        var to = header(place) + "Send: opCount 0";
        nccl(at + SEND, place, to + arguments(place, comm, 4_194_304, 41));
      }
    }
  }

  private static String header(Place place) {
    return "%s:%d:%d [%d] NCCL INFO "
        .formatted(place.host(), place.pid(), place.pid(), place.local());
  }

  private String arguments(Place place, int comm, long count, int buffer) {
    return " sendbuff 0x7f%02x%08x recvbuff 0x7f%02x%08x count %d datatype 9 op 0 root 0 comm %s [nranks=%d] stream %s"
            .formatted(
                place.rank() & 255,
                0xa000_0000 + buffer * 4096,
                place.rank() & 255,
                0xb000_0000 + buffer * 4096,
                count,
                place.pointer(comm),
                layout.size(comm, place.rank()),
                "0x5581" + Integer.toHexString(0x10_0000 + place.rank()))
        // RCCL says two things more (its src/enqueue.cc)
        + (plan.machine().amd() ? " task 0 globalrank " + place.rank() : "");
  }

  private void nccl(double at, Place place, String text) {
    lines.add(new Line(at, place.pid(), Line.Kind.NCCL, text));
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
          "step %d/%d compute_ms=%.2f comm_ms=%.2f"
              .formatted(step, plan.steps(), 1000 * plan.stepSeconds(), 150 * plan.stepSeconds());
      case 1 -> "tokens seen: %d, learning rate warms up".formatted(4096L * step);
      default -> "DataLoader worker %d prefetched shard %d".formatted(step % 8, step);
    };
  }

  /// Port scanners and health checks that speak to a socket of NCCL's: it hangs up and goes on
  /// (src/misc/socket.cc, a WARN up to 2.26).
  void strangers(Place place) {
    var version = plan.version();
    if (!version.since(16)) {
      return;
    }
    var pen = new RankLineWriter(version, place, lines);
    for (int i = 0; i < plan.noise().strangers(); i++) {
      pen.at(timeline.stepBegin(random.nextInt(timeline.steps()), place.rank()));
      if (!Double.isFinite(pen.at())) {
        return;
      }
      if (version.since(30)) {
        pen.main(
            "socketFinalizeAccept: peer 10.0.0.66<51200> closed before magic handshake, discarding");
      } else if (version.since(27)) {
        pen.main("socketFinalizeAccept: didn't receive a valid magic from 10.0.0.66<51200>");
      } else {
        pen.warn(
            "misc/socket.cc:575",
            "socketFinalizeAccept",
            "socketFinalizeAccept: wrong magic 485454502f312e31 != 2c1bfc5ea9f4d2a1");
      }
    }
  }

  private void other(double at, int pid, String text) {
    lines.add(new Line(at, pid, Line.Kind.OTHER, text));
  }
}
