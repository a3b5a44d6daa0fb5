package io.ringside.lab.simulate;

import io.ringside.lab.simulate.Layout.Place;
import io.ringside.lab.simulate.ProcessFault.Crash;
import java.util.List;
import java.util.random.RandomGenerator;

/// The last words of a run that ends by itself: in good order, by the crash of one rank, or before
/// it began.
final class EndLines {
  private final JobPlan plan;
  private final Layout layout;
  private final Timeline timeline;
  private final List<Line> lines;
  private final RandomGenerator random;

  EndLines(
      JobPlan plan, Layout layout, Timeline timeline, List<Line> lines, RandomGenerator random) {
    this.plan = plan;
    this.layout = layout;
    this.timeline = timeline;
    this.lines = lines;
    this.random = random;
  }

  /// The end of a run that was not killed.
  void destroy(Place place) {
    double at = timeline.stepEnd(timeline.steps() - 1, place.rank());
    if (Double.isFinite(at) && plan.version().showsDestroy()) {
      var pen = new RankLineWriter(plan.version(), place, lines);
      pen.at(at + 0.05 + 0.3 * random.nextDouble());
      pen.main(comm(place) + " - Destroy COMPLETE");
    }
  }

  private String comm(Place place) {
    return "comm %s rank %d nranks %d cudaDev %d busId %s"
        .formatted(
            place.pointer(0),
            layout.rankIn(0, place.rank()),
            layout.size(0, place.rank()),
            place.local(),
            plan.machine().packedBusId(place.gpu()));
  }

  /// One rank fails, and the others notice that it is gone.
  void crash(Place place, Crash crash) {
    var pen = new RankLineWriter(plan.version(), place, lines);
    double at = timeline.stoppedAt() + 0.3;
    if (place.rank() == crash.rank()) {
      pen.at(at);
      cause(pen, crash);
    } else {
      pen.at(at + 0.2 + 0.8 * random.nextDouble());
      effect(place, crash, pen);
      pen.main(comm(place) + " - Abort COMPLETE");
    }
    pen.other(
        "E1121 00:10:45.017000 %d torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: %d) local_rank: %d (pid: %d) of binary: /usr/bin/python"
            .formatted(
                90 + place.pod() % 9,
                place.rank() == crash.rank() && crash.cause() == Crash.Cause.KILLED ? -9 : -6,
                place.local(),
                place.pid()));
  }

  private static void cause(RankLineWriter pen, Crash crash) {
    switch (crash.cause()) {
      case CUDA -> {
        pen.warn(
            "enqueue.cc:1556",
            "ncclLaunchKernel",
            "Cuda failure 'an illegal memory access was encountered'");
        pen.main("enqueue.cc:1556 -> 1");
        pen.main("group.cc:241 -> 1");
        pen.other("terminate called after throwing an instance of 'c10::DistBackendError'");
      }
      case NETWORK -> {
        pen.ofiWarn(
            "int sendrecv_cq_process(fid_cq*):209",
            "Request 0x7f1b2c003a80 completed with error. RC: 5. Error: 4113 (Unreachable remote). Completed length: 0, Request: { dev: 0, size: 1048576, state: PENDING, type: SEND }");
        pen.main("transport/net.cc:1298 -> 6");
        pen.main("proxy.cc:701 -> 6");
        pen.other("terminate called after throwing an instance of 'c10::DistBackendError'");
      }
      case KILLED -> {}
    }
  }

  private void effect(Place place, Crash crash, RankLineWriter pen) {
    var gone = layout.place(crash.rank());
    if (gone.pod() == place.pod()) {
      pen.main("[Service thread] Connection closed by localRank " + gone.local());
      return;
    }
    boolean old = !plan.version().since(16);
    pen.warn(
        old ? "include/socket.h:540" : "misc/socket.cc:71",
        "socketProgress",
        (old ? "Net : " : "socketProgress: ")
            + "Connection closed by remote peer "
            + gone.host()
            + ".training.svc.cluster.local<40112>");
    pen.main("misc/socket.cc:795 -> 6");
    pen.main("proxy.cc:614 -> 6");
  }

  /// Ranks that cannot connect, since one node has another network: what its peers offer it is no
  /// address of its kind.
  void unconnected(Place place, NetworkFault.PartialFallback partial) {
    double at = timeline.stoppedAt() + 20 + random.nextDouble();
    var pen = new RankLineWriter(plan.version(), place, lines);
    pen.at(at);
    if (place.node() == partial.node()) {
      pen.warn(
          plan.version().since(16) ? "misc/socket.cc:558" : "include/socket.h:445",
          "socketPollConnect",
          "socketPollConnect: connect returned Connection timed out(110), exceeded error retry count (35)");
      pen.main("transport/net_socket.cc:366 -> 2");
    } else {
      pen.main("transport/net.cc:810 -> 6");
    }
    pen.other(
        "[rank%d]: torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:3356, %s (run with NCCL_DEBUG=INFO for details), NCCL version %s"
            .formatted(
                place.rank(),
                place.node() == partial.node()
                    ? "unhandled system error"
                    : "remote process exited or there was a network error",
                plan.version().number()));
  }

  /// A start that finds no interface, as in the recording of one.
  static void noInterface(RankLineWriter pen) {
    pen.main("NCCL_SOCKET_IFNAME set by environment to nosuchif0");
    pen.main("NCCL_SOCKET_IFNAME set to nosuchif0");
    pen.warn("bootstrap.cc:114", "bootstrapNetInit", "Bootstrap : no socket interface found");
    pen.main("init.cc:126 -> 5");
    pen.other("ncclInvalidUsage: This usually reflects invalid usage of NCCL library.");
  }
}
