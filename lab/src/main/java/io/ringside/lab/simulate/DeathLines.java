package io.ringside.lab.simulate;

import io.ringside.lab.simulate.Layout.Place;
import io.ringside.lab.simulate.ProcessFault.Death;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.random.RandomGenerator;

/// The last words of a job of which one rank dies, or that a scheduler ends: the program's, the
/// launcher's, and those of the ranks that lose their peer. Shapes from CPython 3.12, PyTorch 2.4
/// to 2.8 (torchrun), aws-ofi-nccl 1.16 and Slurm 23.11.
final class DeathLines {
  private static final DateTimeFormatter GLOG =
      DateTimeFormatter.ofPattern("MMdd HH:mm:ss.SSS'000'").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter TABLE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd_HH:mm:ss").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter SLURM =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss").withZone(ZoneOffset.UTC);

  private final JobPlan plan;
  private final Layout layout;
  private final Timeline timeline;
  private final Instant begin;
  private final List<Line> lines;
  private final RandomGenerator random;

  DeathLines(
      JobPlan plan,
      Layout layout,
      Timeline timeline,
      Instant begin,
      List<Line> lines,
      RandomGenerator random) {
    this.plan = plan;
    this.layout = layout;
    this.timeline = timeline;
    this.begin = begin;
    this.lines = lines;
    this.random = random;
  }

  /// What a pod says.
  void write(List<Place> places, Death death) {
    double at = timeline.stoppedAt() + 0.3;
    switch (death.cause()) {
      case STOPPED -> stopped(places.getFirst(), at);
      case TIME_LIMIT -> timeLimit(places.getFirst(), at);
      default -> {
        var dead = layout.place(death.rank());
        boolean own = dead.pod() == places.getFirst().pod();
        if (own) {
          var pen = new RankLineWriter(plan.version(), dead, lines);
          pen.at(at);
          lastWords(dead, death, pen);
          launcher(places, dead, death.cause().exitCode(), pen.at() + 0.2);
        } else {
          double lost = at + 1 + random.nextDouble();
          for (var place : places) {
            effect(place, dead, lost + 0.3 * random.nextDouble());
          }
          launcher(places, places.get(random.nextInt(places.size())), -6, lost + 2);
        }
      }
    }
  }

  private void lastWords(Place place, Death death, RankLineWriter pen) {
    switch (death.cause()) {
      case GPU_OUT_OF_MEMORY ->
          traceback(
              place,
              pen,
              "loss.backward()",
              "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.16 GiB. GPU %d has a total capacity of 79.11 GiB of which 1.28 GiB is free. Including non-PyTorch memory, this process has 77.82 GiB memory in use. Of the allocated memory 70.12 GiB is allocated by PyTorch, and 5.91 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)"
                  .formatted(place.local()));
      case EXCEPTION ->
          traceback(
              place,
              pen,
              random.nextBoolean()
                  ? "labels = batch[\"labels\"]"
                  : "x = self.proj(x).view(b, t, self.heads, -1)",
              random.nextBoolean()
                  ? "KeyError: 'labels'"
                  : "RuntimeError: shape '[4, 2048, 32, -1]' is invalid for input of size 16777215");
      case DATA ->
          traceback(
              place,
              pen,
              "with open(path, \"rb\") as shard:",
              "FileNotFoundError: [Errno 2] No such file or directory: '/data/shards/train-00417.bin'");
      case DISK_FULL ->
          traceback(
              place,
              pen,
              "torch.save(state, path)",
              "OSError: [Errno 28] No space left on device: '/checkpoints/step-%d/model.pt'"
                  .formatted(death.step()));
      case ECC -> {
        traceback(
            place,
            pen,
            "loss = loss.item()",
            "RuntimeError: CUDA error: uncorrectable ECC error encountered");
        pen.other(
            "[rank%d]: CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect."
                .formatted(place.rank()));
        pen.other(
            "[rank%d]: For debugging consider passing CUDA_LAUNCH_BLOCKING=1"
                .formatted(place.rank()));
      }
      case SEGFAULT -> {
        pen.other("Fatal Python error: Segmentation fault");
        pen.other("");
        pen.other("Thread 0x00007f3a1bfff640 (most recent call first):");
        pen.other("  File \"/usr/lib/python3.12/threading.py\", line 359 in wait");
      }
      case HANDSHAKE -> {
        pen.ofiWarn(
            "int cm_req_handle_error_entry(nccl_net_ofi_context_t*, fid_cq*, fi_cq_err_entry*, uint16_t):46",
            "Request 0x7f31d80a4c40 completed with error. RC: 103. Error: 4126 (Unresponsive receiver (reachable by EFA device but handshake failed) My EFA addr: fi_addr_efa://[fe80::8a1:4cff:fe02:1b7]:0:1207742951 My host id: i-0aa11bb22cc33dd44 Peer EFA addr: fi_addr_efa://[fe80::8bd:9fff:fe77:3d1]:0:355120877 Peer host id: N/A). Completed length: 0");
        pen.main("transport/net.cc:1298 -> 2");
        traceback(
            place,
            pen,
            "work = group.allreduce([tensor], opts)",
            "torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:3356, unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version "
                + plan.version().number());
        pen.other(
            "[rank%d]: ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error. "
                .formatted(place.rank()));
      }
      case KILLED, STOPPED, TIME_LIMIT -> {}
    }
  }

  private static void traceback(Place place, RankLineWriter pen, String code, String error) {
    var rank = "[rank%d]: ".formatted(place.rank());
    pen.other(rank + "Traceback (most recent call last):");
    pen.other(rank + "  File \"/workspace/train.py\", line 214, in <module>");
    pen.other(rank + "    main()");
    pen.other(rank + "  File \"/workspace/train.py\", line 187, in main");
    pen.other(rank + "    " + code);
    pen.other(rank + error);
  }

  /// torchrun's report, as it stands at the end of each pod's log.
  private void launcher(List<Place> places, Place failed, int exitCode, double at) {
    var first = places.getFirst();
    if (plan.setting().processAPod()) {
      return;
    }
    var pen = new RankLineWriter(plan.version(), first, lines);
    pen.at(at);
    int agent = first.pid() - 15;
    var glog = GLOG.format(time(at));
    for (var place : places) {
      if (place.rank() != failed.rank()) {
        pen.other(
            "W%s %d torch/distributed/elastic/multiprocessing/api.py:900] Sending process %d closing signal SIGTERM"
                .formatted(glog, agent, place.pid()));
      }
    }
    pen.other(
        "E%s %d torch/distributed/elastic/multiprocessing/api.py:874] failed (exitcode: %d) local_rank: %d (pid: %d) of binary: /usr/bin/python"
            .formatted(glog, agent, exitCode, failed.local(), failed.pid()));
    pen.other("Traceback (most recent call last):");
    pen.other("  File \"/usr/local/bin/torchrun\", line 8, in <module>");
    pen.other("    sys.exit(main())");
    pen.other("torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ");
    pen.other("============================================================");
    pen.other("train.py FAILED");
    pen.other("------------------------------------------------------------");
    pen.other("Failures:");
    pen.other("  <NO_OTHER_FAILURES>");
    pen.other("------------------------------------------------------------");
    pen.other("Root Cause (first observed failure):");
    pen.other("[0]:");
    pen.other("  time      : " + TABLE.format(time(at)));
    pen.other("  host      : " + failed.host());
    pen.other("  rank      : %d (local_rank: %d)".formatted(failed.rank(), failed.local()));
    pen.other("  exitcode  : %d (pid: %d)".formatted(exitCode, failed.pid()));
    pen.other("  error_file: <N/A>");
    pen.other(
        "  traceback : "
            + switch (exitCode) {
              case -6 -> "Signal 6 (SIGABRT) received by PID " + failed.pid();
              case -9 -> "Signal 9 (SIGKILL) received by PID " + failed.pid();
              case -11 -> "Signal 11 (SIGSEGV) received by PID " + failed.pid();
              default ->
                  "To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html";
            });
    pen.other("============================================================");
  }

  /// A rank that loses its peer.
  private void effect(Place place, Place gone, double at) {
    var pen = new RankLineWriter(plan.version(), place, lines);
    pen.at(at);
    pen.warn(
        "misc/socket.cc:71",
        "socketProgress",
        "socketProgress: Connection closed by remote peer "
            + gone.host()
            + ".training.svc.cluster.local<40112>");
    pen.main("misc/socket.cc:795 -> 6");
    pen.other(
        "[rank%d]:[E1121 00:10:46.909273672 ProcessGroupNCCL.cpp:2057] [PG ID 0 PG GUID 0(default_pg) Rank %d] Process group watchdog thread terminated with exception: NCCL error: remote process exited or there was a network error, NCCL version %s"
            .formatted(place.rank(), place.rank(), plan.version().number()));
    pen.other(
        "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.");
  }

  /// A pod that is deleted or evicted: SIGTERM to the launcher.
  private void stopped(Place first, double at) {
    var pen = new RankLineWriter(plan.version(), first, lines);
    pen.at(at);
    var glog = GLOG.format(time(at));
    int agent = first.pid() - 15;
    pen.other(
        "W%s %d torch/distributed/elastic/agent/server/api.py:723] Received Signals.SIGTERM death signal, shutting down workers"
            .formatted(glog, agent));
    for (int local = 0; local < plan.gpusPerPod(); local++) {
      pen.other(
          "W%s %d torch/distributed/elastic/multiprocessing/api.py:900] Sending process %d closing signal SIGTERM"
              .formatted(glog, agent, first.pid() + local));
    }
    pen.other(
        "torch.distributed.elastic.multiprocessing.api.SignalException: Process %d got signal: 15"
            .formatted(agent));
  }

  private void timeLimit(Place first, double at) {
    var pen = new RankLineWriter(plan.version(), first, lines);
    pen.at(at);
    if (first.pod() == 0) {
      pen.other(
          "slurmstepd: error: *** JOB 48211 ON %s CANCELLED AT %s DUE TO TIME LIMIT ***"
              .formatted(first.host(), SLURM.format(time(at))));
      pen.other("srun: Job step aborted: Waiting up to 32 seconds for job step to finish.");
    }
    pen.other(
        "slurmstepd: error: *** STEP 48211.0 ON %s CANCELLED AT %s DUE TO TIME LIMIT ***"
            .formatted(first.host(), SLURM.format(time(at))));
  }

  private Instant time(double at) {
    return begin.plusNanos(Math.round(at * 1e9));
  }
}
