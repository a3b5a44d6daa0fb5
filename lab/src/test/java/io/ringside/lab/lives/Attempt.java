package io.ringside.lab.lives;

import io.ringside.lab.lives.Machine.Use;
import io.ringside.schemas.event.RunSummary.State;
import io.ringside.streams.job.Run;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;

/// A start of a job: one rank a pod, each pod on a machine of its own. The lines are those of NCCL
/// 2.28.9 and torch 2.14.
final class Attempt {
  static final int CALLS_A_SECOND = 2;

  /// So many common rounds tell which calls of ranks whose init lines are lost belong together;
  /// some fewer may.
  private static final int TELLING_ROUNDS = 60;

  /// Where clocks differ by more of the time between two calls, nothing tells it.
  private static final Duration APART = Duration.ofMillis(400);

  /// Machines' clocks differ by less.
  private static final long CLOCKS_SECONDS = 2;

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final Theatre theatre;
  private final String job;
  private final String commId;
  private final List<Pod> pods;
  private final int pid;
  private final Truth truth = new Truth();
  private final BitSet up = new BitSet();
  private final BitSet gone = new BitSet();
  private final BitSet late = new BitSet();
  private long calls;

  /// How many had been made when its init lines were lost.
  private long joinedAt;

  private boolean apart;

  /// @param machine where it runs
  record Pod(String name, Machine machine) {}

  Attempt(Theatre theatre, String job, String commId, int pid, List<Pod> pods) {
    this.theatre = theatre;
    this.job = job;
    this.commId = commId;
    this.pid = pid;
    this.pods = List.copyOf(pods);
  }

  String job() {
    return job;
  }

  /// As its run is called.
  String run() {
    return commId;
  }

  /// Whether its run may be called so: by what its lines name, or by when it was joined where those
  /// are lost. Until it is known which calls belong together, it has no name.
  boolean isCalled(String run) {
    var since = truth.joinedAt();
    if (since == null) {
      return run.equals(commId);
    }
    return truth.begun() && Run.isNone(run)
        || isJoined(run)
            && run.compareTo(joined(since.minusSeconds(CLOCKS_SECONDS))) >= 0
            && run.compareTo(joined(truth.lineAt().plusSeconds(CLOCKS_SECONDS))) <= 0;
  }

  /// Whether this is the name of a run that was joined while it ran.
  boolean isJoined(String run) {
    return run.startsWith(ranks() + "-ranks-joined-");
  }

  private String joined(Instant at) {
    return ranks() + "-ranks-joined-" + STAMP.format(at);
  }

  int ranks() {
    return pods.size();
  }

  /// Whether the rank in this pod has ever kept the others waiting.
  boolean wasLate(String pod) {
    return late.stream().anyMatch(rank -> pods.get(rank).name().equals(pod));
  }

  /// How it stands to whoever watches its terminals.
  Truth truth() {
    return truth;
  }

  /// Time has come to this moment.
  void reaches(Instant now) {
    if (pods.stream().allMatch(pod -> pod.machine().unseen(pod.name()))) {
      truth.isUnseen();
    }
    var clocks = pods.stream().map(pod -> pod.machine().clock(now)).sorted().toList();
    apart |= Duration.between(clocks.getFirst(), clocks.getLast()).compareTo(APART) > 0;
    truth.tells(!apart && calls - joinedAt >= TELLING_ROUNDS, now);
    truth.reaches(
        now,
        pods.stream().allMatch(pod -> pod.machine().heard()),
        pods.stream().anyMatch(pod -> pod.machine().heard()));
  }

  /// Whoever reads what it has printed knows that it is over.
  Attempt over(State how) {
    truth.isOver(how);
    return this;
  }

  /// Initialises the world over this transport.
  Attempt init(String transport) {
    for (int rank = 0; rank < pods.size(); rank++) {
      init(rank, transport);
    }
    return this;
  }

  /// Over a healthy network.
  Attempt init() {
    return init("NET/IB/0/GDRDMA");
  }

  /// All begin to initialise the world, and none is through yet.
  Attempt begin() {
    for (int rank = 0; rank < pods.size(); rank++) {
      begin(rank, "IB");
    }
    return this;
  }

  /// One does.
  Attempt begin(int rank, String network) {
    use(rank, Use.RESTS);
    nccl(rank, "NCCL version 2.28.9+cuda13.0");
    nccl(rank, "Using network " + network);
    truth.isNamed(theatre.now());
    return nccl(
        rank, "ncclCommInitRankConfig " + comm(rank) + " commId " + commId + " - Init START");
  }

  Attempt init(int rank, String transport) {
    int next = (rank + 1) % pods.size();
    begin(rank, transport.startsWith("NET/IB") ? "IB" : "Socket");
    nccl(rank, "Channel 00/0 : %d[0] -> %d[0] [send] via %s".formatted(rank, next, transport));
    nccl(rank, "ncclCommInitRankConfig " + comm(rank) + " commId " + commId + " - Init COMPLETE");
    up.set(rank);
    if (up.cardinality() == pods.size()) {
      truth.isUp();
    }
    return this;
  }

  /// Trains for so many seconds: all ranks make all calls.
  Attempt train(double seconds) {
    return train(seconds, -1, 0);
  }

  /// Trains for so many seconds; this rank comes late to each second call.
  Attempt train(double seconds, int lateRank, double late) {
    return repeat(
        Math.ceil(seconds * CALLS_A_SECOND),
        1.0 / CALLS_A_SECOND,
        (call, ahead) -> step(lateRank, call % 2 == 1 ? late : 0, ahead));
  }

  /// Trains for so many seconds, and rank 0 prints how long each step of one call takes.
  Attempt trainAndTell(double seconds, double stepSeconds) {
    return repeat(
        Math.ceil(seconds / stepSeconds),
        stepSeconds,
        (_, ahead) -> {
          step(-1, 0, ahead);
          line(
              0,
              ahead,
              0,
              " iteration %8d/ 100000 | consumed samples: %12d | elapsed time per iteration (ms): %.1f | learning rate: 1.0E-04 | global batch size:    64 | lm loss: 2.5E+00 |"
                  .formatted(calls, 64 * calls, 1e3 * stepSeconds));
        });
  }

  /// Work of which its number is known, and how many seconds from now it begins.
  interface Work {
    void begins(int number, double ahead);
  }

  /// So many times one after the other, those of one tick of the theatre at once.
  Attempt repeat(double times, double seconds, Work work) {
    int atOnce = (int) Math.max(1, Math.round(theatre.tick() / seconds));
    for (int i = 0; i < times; ) {
      int some = (int) Math.min(atOnce, times - i);
      for (int k = 0; k < some; k++) {
        work.begins(i++, k * seconds);
      }
      theatre.pass(some * seconds);
    }
    return this;
  }

  /// All ranks make their next call.
  Attempt step() {
    return step(-1, 0);
  }

  Attempt step(int lateRank, double late) {
    return step(lateRank, late, 0);
  }

  /// So many seconds from now.
  Attempt step(int lateRank, double late, double ahead) {
    if (late > 0) {
      this.late.set(lateRank);
    }
    for (int rank = 0; rank < pods.size(); rank++) {
      call(rank, ahead, rank == lateRank ? late : 0);
      use(rank, Use.WORKS);
    }
    calls++;
    return this;
  }

  /// All ranks make their next call, each some milliseconds late.
  Attempt step(RandomGenerator random) {
    for (int rank = 0; rank < pods.size(); rank++) {
      call(rank, 0, Math.min(0.05, 0.002 * random.nextExponential()));
      use(rank, Use.WORKS);
    }
    calls++;
    return this;
  }

  /// This rank makes its next call, and waits in it.
  Attempt call(int rank) {
    use(rank, Use.SPINS);
    return call(rank, 0, 0);
  }

  private Attempt call(int rank, double ahead, double late) {
    if (pods.get(rank).machine().there()) {
      truth.calls(in(ahead));
    }
    return line(
        rank,
        ahead,
        late,
        header(rank)
            + "AllReduce: opCount %x sendbuff 0x7f0000000000 recvbuff 0x7f0000000000 count 1048576 datatype 7 op 0 root 0 comm %s [nranks=%d] stream 0x5580"
                .formatted(calls, pointer(rank), pods.size()));
  }

  /// All ranks but this one make their next call.
  Attempt callAllBut(int missing) {
    late.set(missing);
    for (int rank = 0; rank < pods.size(); rank++) {
      if (rank != missing) {
        call(rank);
      }
    }
    return this;
  }

  /// All have made this call by now.
  Attempt skip() {
    calls++;
    return this;
  }

  /// All are there and nobody calls, as in a checkpoint that all share.
  Attempt rest() {
    for (int rank = 0; rank < pods.size(); rank++) {
      use(rank, Use.RESTS);
    }
    return this;
  }

  Attempt destroy(int rank) {
    use(rank, Use.FREE);
    nccl(rank, comm(rank) + " - Destroy COMPLETE");
    return leaves(rank, State.ENDED);
  }

  private Attempt leaves(int rank, State how) {
    gone.set(rank);
    return gone.cardinality() == pods.size() ? over(how) : this;
  }

  Attempt destroy() {
    for (int rank = 0; rank < pods.size(); rank++) {
      destroy(rank);
    }
    return this;
  }

  /// `kill -9`: nothing is written any more, and the GPU is free.
  Attempt kill(int rank) {
    use(rank, Use.FREE);
    return this;
  }

  Attempt kill() {
    for (int rank = 0; rank < pods.size(); rank++) {
      kill(rank);
    }
    return this;
  }

  /// `kill -TERM` as torchrun answers it.
  Attempt terminate() {
    for (int rank = 0; rank < pods.size(); rank++) {
      use(rank, Use.FREE);
      line(
          rank,
          "W1121 12:00:20.000000 41 torch/distributed/elastic/agent/server/api.py:739] Received 15 death signal, shutting down workers");
      line(
          rank,
          "W1121 12:00:20.000000 41 torch/distributed/elastic/multiprocessing/api.py:1010] Sending process %d closing signal SIGTERM"
              .formatted(pid));
      line(
          rank,
          "torch.distributed.elastic.multiprocessing.api.SignalException: Process 41 got signal: 15");
    }
    return over(State.STOPPED);
  }

  /// A Python exception that nobody catches, and what torchrun says of it.
  Attempt die(int rank, String exception) {
    traceback(rank, exception);
    line(
        rank,
        "E1121 12:00:20.000000 41 torch/distributed/elastic/multiprocessing/api.py:984] failed (exitcode: 1) local_rank: 0 (pid: %d) of binary: /usr/bin/python3"
            .formatted(pid));
    return over(State.FAILED);
  }

  /// A Python exception, and nobody says more.
  Attempt traceback(int rank, String exception) {
    use(rank, Use.FREE);
    line(rank, "Traceback (most recent call last):");
    line(rank, "  File \"/app/train.py\", line 7, in main");
    line(rank, exception);
    truth.raises(theatre.now());
    return this;
  }

  /// What nccl-tests on eight H200 of one machine print of their largest size, in the log of rank
  /// 0.
  ///
  /// @param wrong elements that are not what they must be
  Attempt measure(double busGBps, int wrong) {
    line(0, "# nccl-tests version 2.19.6 nccl-headers=22809 nccl-library=22809");
    line(0, "# Collective test starting: all_reduce_perf");
    line(0, "# Using devices");
    for (int gpu = 0; gpu < 8; gpu++) {
      line(
          0,
          "#  Rank %2d Group  0 Pid   %d on %s device %2d [0000:%02x:00] NVIDIA H200"
              .formatted(gpu, pid + gpu, pods.getFirst().name(), gpu, 0x1b + gpu));
    }
    line(
        0,
        "%12d     268435456     float     sum      -1   4550.46   %.2f   %.2f   %5d   4546.02   %.2f   %.2f       0"
            .formatted(1L << 30, busGBps / 1.75, busGBps, wrong, busGBps / 1.75, busGBps));
    return line(0, "# Avg bus bandwidth    : %.3f".formatted(busGBps));
  }

  /// Pod and log are gone, as the kubelet does it for an eviction.
  Attempt evict(int rank) {
    use(rank, Use.FREE);
    log(rank).delete();
    return leaves(rank, State.ENDED);
  }

  Attempt evict() {
    for (int rank = 0; rank < pods.size(); rank++) {
      evict(rank);
    }
    return this;
  }

  /// Lines of this rank are gone before its agent reads them.
  Attempt lose(int rank) {
    log(rank).lose(100_000);
    return this;
  }

  Attempt rotate() {
    for (int rank = 0; rank < pods.size(); rank++) {
      log(rank).rotate();
    }
    return this;
  }

  /// Logs are rotated, and what no agent has read is gone: the job's init lines, where its agents
  /// are yet to come.
  Attempt rotateAway() {
    for (int rank = 0; rank < pods.size(); rank++) {
      log(rank).rotateAway(theatre.now());
    }
    joinedAt = calls;
    truth.isJoined(theatre.now());
    return this;
  }

  Attempt nccl(int rank, String message) {
    return line(rank, header(rank) + message);
  }

  Attempt line(int rank, String text) {
    return line(rank, 0, 0, text);
  }

  private Attempt line(int rank, double ahead, double late, String text) {
    var machine = pods.get(rank).machine();
    if (machine.there()) {
      var written = in(ahead + late);
      log(rank).write(written, machine.clock(written), text);
      truth.prints(in(ahead));
    }
    return this;
  }

  private Instant in(double seconds) {
    return theatre.now().plusNanos(Math.round(seconds * 1e9));
  }

  void use(int rank, Use use) {
    pods.get(rank).machine().gpu(use);
  }

  private LogFile log(int rank) {
    var pod = pods.get(rank);
    return pod.machine().log("ns", pod.name(), job);
  }

  private String header(int rank) {
    return "%s:%d:%d [0] NCCL INFO ".formatted(pods.get(rank).name(), pid, pid);
  }

  private String comm(int rank) {
    return "comm %s rank %d nranks %d cudaDev 0 nvmlDev 0 busId %s"
        .formatted(pointer(rank), rank, pods.size(), Machine.BUS);
  }

  private String pointer(int rank) {
    return "0x55d0%s%02x".formatted(commId.substring(14), rank);
  }
}
