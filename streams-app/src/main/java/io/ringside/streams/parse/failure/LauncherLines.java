package io.ringside.streams.parse.failure;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.event.TorchEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// What Slurm, MPI, PaddlePaddle's launcher and SageMaker say of processes that ended or were never started. torchrun's and
/// DeepSpeed's words are read beside the rest of what they print.
public final class LauncherLines {
  private static final int SIGKILL = -9;
  private static final int SIGSEGV = -11;
  private static final int SIGABRT = -6;
  private static final int SIGBUS = -7;
  private static final int SIGTERM = -15;

  private LauncherLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of("slurmstepd: error: *** * CANCELLED AT *", "Slurm", LauncherLines::cancelled),
          Shape.of(
              "error: *** * CANCELLED AT *",
              "Slurm, behind its stamp or its host",
              LauncherLines::cancelled),
          Shape.of("slurmd[*]: *** * CANCELLED AT *", "Slurm to 14", LauncherLines::cancelled),
          Shape.of("slurmstepd: error: pyxis: *", "pyxis", LauncherLines::container),
          Shape.of("slurmstepd: error: Detected # oom*kill event*", "Slurm", LauncherLines::memory),
          Shape.of("slurmstepd: error: Exceeded * memory limit*", "Slurm", LauncherLines::memory),
          Shape.of(
              "error: Detected # oom_kill event*",
              "Slurm 22+",
              line -> said(line, "error: ", FailureClass.OUT_OF_MEMORY)),
          Shape.of("srun: error: *: task* #*: *", "Slurm", LauncherLines::task),
          Shape.of(
              "srun: error: Application launch failed: *",
              "Slurm",
              line -> said(line, "srun: error: ", FailureClass.UNKNOWN)),
          Shape.of(
              "srun: error: Unable to create step for job #: *", "Slurm", LauncherLines::refused),
          Shape.of("srun: error: Unable to allocate resources: *", "Slurm", LauncherLines::refused),
          Shape.of("srun: error: Invalid --* argument: *", "Slurm", LauncherLines::refused),
          Shape.of(
              "sbatch: error: Batch job submission failed: *", "Slurm", LauncherLines::refused),
          Shape.of("Container rank # status failed cmd *", "PaddlePaddle", LauncherLines::paddle),
          Shape.of(
              "Failed - Training job failed*",
              "SageMaker",
              line -> said(line, "", FailureClass.UNKNOWN)),
          Shape.of(
              "TERM_RUNLIMIT: job killed*", "LSF", line -> batch(line, FailureClass.TIME_LIMIT)),
          Shape.of(
              "TERM_DEADLINE: job killed*", "LSF", line -> batch(line, FailureClass.TIME_LIMIT)),
          Shape.of(
              "TERM_CPULIMIT: job killed*", "LSF", line -> batch(line, FailureClass.TIME_LIMIT)),
          Shape.of("TERM_OWNER: job killed*", "LSF", line -> batch(line, FailureClass.STOPPED)),
          Shape.of("TERM_ADMIN: job killed*", "LSF", line -> batch(line, FailureClass.STOPPED)),
          Shape.of("TERM_PREEMPT: job killed*", "LSF", line -> batch(line, FailureClass.STOPPED)),
          Shape.of(
              "TERM_MEMLIMIT: job killed*",
              "LSF",
              line -> said(line, "", FailureClass.OUT_OF_MEMORY)),
          Shape.of(
              "=>> PBS: job killed: walltime *",
              "PBS",
              line -> batch(line, FailureClass.TIME_LIMIT)),
          Shape.of(
              "=>> PBS: job killed: *mem *exceed*",
              "PBS",
              line -> said(line, "", FailureClass.OUT_OF_MEMORY)),
          Shape.of("slurmstepd: error: NVML: *", "Slurm", LauncherLines::nvml),
          Shape.of(
              "srun: error: Node failure on *",
              "Slurm",
              line -> said(line, "srun: error: ", FailureClass.NODE_LOST)),
          Shape.of(
              "Message: *Job * failed because # * replica(s) failed*",
              "Kubeflow",
              line -> said(line, "Message:", FailureClass.UNKNOWN)),
          Shape.of(
              "Message: *Job * is restarting because # * replica(s) failed*",
              "Kubeflow, until it runs again",
              line -> said(line, "Message:", FailureClass.UNKNOWN)),
          Shape.of(
              "ORTE has lost communication with a remote daemon*",
              "Open MPI 4",
              LauncherLines::lost),
          Shape.of(
              "PRTE has lost communication with a remote daemon*",
              "Open MPI 5",
              LauncherLines::lost),
          Shape.of(
              "An MPI communication peer process has unexpectedly disconnected.*",
              "Open MPI",
              line -> said(line, "", FailureClass.NETWORK)),
          Shape.of(
              "A process or daemon was unable to complete a TCP connection*",
              "Open MPI",
              line -> said(line, "", FailureClass.NETWORK)),
          Shape.of(
              "ORTE was unable to reliably start one or more daemons.*",
              "Open MPI to 4",
              line -> said(line, "", FailureClass.CONFIGURATION)),
          Shape.of(
              "There are not enough slots available in the system to satisfy the #*",
              "Open MPI",
              line -> said(line, "", FailureClass.CONFIGURATION)),
          Shape.of(
              "but OMPI was not built with *",
              "Open MPI to 4, started by srun",
              line -> said(line, "but ", FailureClass.CONFIGURATION)),
          Shape.of(
              "Open MPI requires access to a local PMIx server*",
              "Open MPI 5, started by srun",
              line -> said(line, "", FailureClass.CONFIGURATION)),
          Shape.of(
              "Primary job  terminated normally, but # process*",
              "Open MPI to 4",
              line -> said(line, "", FailureClass.UNKNOWN)),
          Shape.of(
              "MPI_ABORT was invoked on rank # in communicator *",
              "Open MPI",
              LauncherLines::aborted),
          Shape.of("with errorcode *", "Open MPI to 4", LauncherLines::abortCode),
          Shape.of("Errorcode: *", "Open MPI 5", LauncherLines::abortCode),
          Shape.of("mpirun noticed that process rank # *", "Open MPI", LauncherLines::noticed),
          Shape.of("mpiexec noticed that process rank # *", "Open MPI", LauncherLines::noticed),
          Shape.of("prterun noticed that process rank # *", "Open MPI 5", LauncherLines::noticed),
          Shape.of("Process name: [[*,#],#]*", "Open MPI", LauncherLines::openMpiRank),
          Shape.of("Exit code:    #*", "Open MPI", LauncherLines::openMpiCode),
          Shape.of("rank # died from signal #*", "PALS", LauncherLines::pals),
          Shape.of("rank # exited with code #*", "PALS", LauncherLines::pals),
          Shape.of(
              "Signal # (SIG*) received by PID #",
              "torchrun, torn out of its table",
              LauncherLines::signalled),
          Shape.of(
              "traceback: Signal # (SIG*) received by PID #",
              "torchrun's table in another program's words",
              LauncherLines::signalled),
          Shape.of(
              "[SignalInfo: *** SIG* received by PID # *",
              "PaddlePaddle 2+",
              LauncherLines::fatalSignal),
          Shape.of(
              "ABORT!!! Out of all # trainers, the trainer process with rank=[#*] was aborted*",
              "PaddlePaddle",
              LauncherLines::paddleAborted),
          Shape.of("<#*> is invalid", "numactl", LauncherLines::numactl),
          Shape.of("Aborted (core dumped)*", "shells", line -> ended(line, SIGABRT)),
          Shape.of("= KILLED BY SIGNAL: # *", "MPICH", LauncherLines::hydraSignal),
          Shape.of("=   EXIT CODE: #*", "MPICH", LauncherLines::hydraCode),
          Shape.of(
              "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: *",
              "MPICH",
              LauncherLines::hydra));

  /// `slurmstepd: error: *** STEP 152.13 ON gpu-153 CANCELLED AT 2025-04-30T01:52:49 DUE TO TIME LIMIT ***`, where the site wants
  /// stamps `[2025-04-30T01:52:49.530] error: *** …` (slurmstepd/req.c, src/common/log.c). The step's and the job's may be written
  /// into each other: the last one that is whole counts.
  private static boolean cancelled(TextLine line) {
    var said = line.rest();
    int at = said.lastIndexOf(" CANCELLED AT ");
    int from = at < 0 ? -1 : said.lastIndexOf("*** ", at);
    var words = from < 0 ? "" : Statements.shortened(said.substring(from));
    if (!words.startsWith("*** JOB ") && !words.startsWith("*** STEP ")) {
      return false;
    }
    var failureClass =
        words.contains("DUE TO TIME LIMIT")
            ? FailureClass.TIME_LIMIT
            : words.contains("NODE FAIL") ? FailureClass.NODE_LOST : FailureClass.STOPPED;
    return line.emit(new FailureEvent.Cancelled(failureClass, words));
  }

  /// `slurmstepd: error: pyxis: container start failed with error code: 1`, and why in the lines around it.
  private static boolean container(TextLine line) {
    var words = Statements.shortened(line.expect("slurmstepd: error: ").rest());
    return (words.contains("container start failed") || words.contains("couldn't start container"))
        && line.emit(new FailureEvent.Said(-1, FailureClass.CONFIGURATION, words));
  }

  /// `srun: error: Unable to create step for job 7: More processors requested than permitted` (Slurm's src/srun/libsrun,
  /// src/common/spank.c): the program is not started. A step that comes when its job is over says nothing of why that ended, and
  /// nodes that are busy are asked again.
  private static boolean refused(TextLine line) {
    var words = line.rest();
    words = Statements.shortened(words.substring(words.indexOf("error: ") + "error: ".length()));
    var job = words.contains(" argument: ") ? "" : words.substring(words.lastIndexOf(": ") + 1);
    return LATE.stream().noneMatch(job::contains)
        && line.emit(new FailureEvent.Said(-1, FailureClass.CONFIGURATION, words));
  }

  /// What Slurm says of jobs that are over, and of itself (slurm_errno.c).
  private static final List<String> LATE =
      List.of(
          "already completing or completed",
          "expired",
          "Invalid job id",
          "Job was cancelled",
          "Job has been cancelled",
          "Socket timed out",
          "Unable to contact slurm",
          "are busy",
          "Interrupted");

  /// `Container rank 3 status failed cmd ['/usr/bin/python', '-u', 'train.py'] code -9 log log/workerlog.3`
  /// (python/paddle/distributed/launch/job/container.py).
  private static boolean paddle(TextLine line) {
    var rank = line.expect("Container rank ").integer();
    var code = line.seek("] code ").integer();
    return line.good()
        && code != 0
        && line.emit(new FailureEvent.Exited(rank, -1, code, -1, "", true));
  }

  private static boolean memory(TextLine line) {
    return said(line, "slurmstepd: error: ", FailureClass.OUT_OF_MEMORY);
  }

  private static boolean said(TextLine line, String speaker, FailureClass failureClass) {
    var words = Statements.shortened(line.expect(speaker).rest());
    return line.good() && line.emit(new FailureEvent.Said(-1, failureClass, words));
  }

  /// `TERM_RUNLIMIT: job killed after reaching LSF run time limit.`: who wanted the end.
  private static boolean batch(TextLine line, FailureClass failureClass) {
    return line.emit(new FailureEvent.Cancelled(failureClass, Statements.shortened(line.rest())));
  }

  /// `srun: error: gpu-5: task 7: Exited with exit code 1`, `… tasks 0-6: Killed`.
  private static boolean task(TextLine line) {
    var host = line.expect("srun: error: ").before(": task");
    line.skip("s");
    var rank = line.expect(" ").integer();
    var several = line.good() && line.peek() != ':';
    var words = line.seek(": ").rest();
    if (line.bad()) {
      return false;
    }
    var code = code(words);
    return code != 0
        && line.emit(new FailureEvent.Exited(several ? -1 : rank, -1, code, -1, host, false));
  }

  /// Exit code or negative signal in Slurm's words; 0 where they speak of no failure.
  private static int code(String words) {
    if (words.startsWith("Exited with exit code ")) {
      var digits = words.substring("Exited with exit code ".length()).strip();
      return digits.matches("\\d{1,3}") ? Integer.parseInt(digits) : 1;
    }
    if (words.startsWith("Killed") || words.startsWith("Out Of Memory")) {
      return SIGKILL;
    }
    if (words.startsWith("Segmentation fault")) {
      return SIGSEGV;
    }
    if (words.startsWith("Aborted")) {
      return SIGABRT;
    }
    if (words.startsWith("Bus error")) {
      return SIGBUS;
    }
    return words.startsWith("Terminated") ? SIGTERM : 0;
  }

  private static boolean nvml(TextLine line) {
    var words = Statements.shortened(line.expect("slurmstepd: error: ").rest());
    return words.contains("GPU is lost")
        && line.emit(new FailureEvent.Said(-1, FailureClass.GPU_ERROR, words));
  }

  /// mpirun ends the job then: the node or its network is gone.
  private static boolean lost(TextLine line) {
    return said(line, "", FailureClass.NODE_LOST);
  }

  /// `mpirun noticed that process rank 3 with PID 1234 on node worker-1 exited on signal 9 (Killed).` Whoever pastes it may hide
  /// the pid.
  private static boolean noticed(TextLine line) {
    var rank = line.seek("process rank ").integer();
    var pid = number(line.seek("with PID ").until(' '));
    var host = line.expect(" on node ").until(' ');
    var signal = line.seek("signal ").integer();
    return line.good() && line.emit(new FailureEvent.Exited(rank, -1, -signal, pid, host, true));
  }

  private static int number(String digits) {
    return digits.matches("\\d{1,9}") ? Integer.parseInt(digits) : -1;
  }

  /// `MPI_ABORT was invoked on rank 2 in communicator MPI_COMM_WORLD`, and its code a line or two below. Of the world's copies,
  /// `MPI COMMUNICATOR 5 DUP FROM 0`, ranks are the same, of others they are not known.
  private static boolean aborted(TextLine line) {
    var rank = line.seek(" on rank ").integer();
    var communicator = line.seek("communicator ").rest().strip();
    boolean world =
        communicator.startsWith("MPI_COMM_WORLD") || communicator.endsWith(" DUP FROM 0");
    return line.good()
        && line.emit(new TorchEvent.FailureField("mpi abort", world ? String.valueOf(rank) : ""));
  }

  /// `with errorcode 1.`, or `  Errorcode: 1`. A program may end its others with 0 once its work is done.
  private static boolean abortCode(TextLine line) {
    line.seek("rrorcode");
    line.skip(":");
    var code = line.blanks().integer();
    return line.good()
        && code != 0
        && line.emit(new TorchEvent.FailureField("mpi abort code", String.valueOf(code)));
  }

  /// `Process name: [[34415,1],1]`, job and rank, below `mpirun detected that one or more processes exited with non-zero
  /// status … The first process to do so was:`.
  private static boolean openMpiRank(TextLine line) {
    line.seek("[[").seek(",").integer();
    var rank = line.expect("],").integer();
    line.expect("]");
    return line.good() && line.emit(new TorchEvent.FailureField("mpi rank", String.valueOf(rank)));
  }

  /// What stands below that.
  private static boolean openMpiCode(TextLine line) {
    var code = line.seek("code:").blanks().integer();
    return line.good()
        && code != 0
        && line.emit(new TorchEvent.FailureField("mpi exitcode", String.valueOf(code)));
  }

  /// `Signal 9 (SIGKILL) received by PID 2083`, without what else torchrun tells of the process
  /// (torch/distributed/elastic/multiprocessing/errors, `ProcessFailure`).
  private static boolean signalled(TextLine line) {
    int signal = line.seek("Signal ").integer();
    int pid = line.seek(" received by PID ").integer();
    return line.good()
        && line.emit(new FailureEvent.Exited(line.rank(), -1, -signal, pid, "", false));
  }

  /// The signals that end a process by themselves, and how a process is asked to end (signal.h).
  private static final Map<String, Integer> SIGNALS =
      Map.of(
          "SIGHUP", 1, "SIGINT", 2, "SIGILL", 4, "SIGABRT", -SIGABRT, "SIGBUS", -SIGBUS, "SIGFPE",
          8, "SIGSEGV", -SIGSEGV, "SIGTERM", -SIGTERM);

  /// `*** SIGSEGV (@0x0) received by PID 24044 (TID 0x7f64…) from PID 0; stack trace: ***` (glog's src/signalhandler.cc), and
  /// without the address by Abseil's. Paddle has it as `[SignalInfo: *** … ***]`.
  public static boolean fatalSignal(TextLine line) {
    line.skip("[SignalInfo: ");
    var name = line.expect("*** ").until(' ');
    int pid = line.seek(" received by PID ").integer();
    var signal = SIGNALS.get(name);
    return line.good()
        && signal != null
        && line.emit(new FailureEvent.Exited(line.rank(), -1, -signal, pid, "", false));
  }

  /// `ABORT!!! Out of all 4 trainers, the trainer process with rank=[0, 2] was aborted. Please check its log.`
  /// (python/paddle/distributed/fleet/launch_utils.py): which of them was first it does not say.
  private static boolean paddleAborted(TextLine line) {
    int rank = line.seek("rank=[").integer();
    boolean alone = line.good() && line.peek() == ']';
    return line.good()
        && line.emit(new FailureEvent.Exited(alone ? rank : -1, -1, 1, -1, "", false));
  }

  private static boolean ended(TextLine line, int code) {
    return line.emit(new FailureEvent.Exited(line.rank(), -1, code, -1, "", false));
  }

  /// `x3103c0s7b0n0: rank 0 died from signal 15`, `… rank 3 exited with code 1`.
  private static boolean pals(TextLine line) {
    var rank = line.expect("rank ").integer();
    boolean signal = line.skip(" died from signal ");
    var code = signal ? line.integer() : line.expect(" exited with code ").integer();
    return line.good()
        && code != 0
        && line.emit(new FailureEvent.Exited(rank, -1, signal ? -code : code, -1, "", false));
  }

  private static final Pattern CPUS = Pattern.compile("<\\d[\\d,+:!~-]{0,200}> is invalid");

  /// `<0-7,64-71> is invalid`, numactl's last word on CPUs or memory nodes that the machine does not have: it does not start the
  /// program (numactl.c, `complain`).
  private static boolean numactl(TextLine line) {
    var words = line.rest().strip();
    return CPUS.matcher(words).matches()
        && line.emit(
            new FailureEvent.Said(line.rank(), FailureClass.CONFIGURATION, "numactl: " + words));
  }

  private static boolean hydraSignal(TextLine line) {
    var signal = line.seek("SIGNAL: ").integer();
    return line.good() && line.emit(new FailureEvent.Exited(-1, -1, -signal, -1, "", true));
  }

  private static boolean hydraCode(TextLine line) {
    var code = line.seek("EXIT CODE: ").integer();
    return line.good()
        && code != 0
        && line.emit(new FailureEvent.Exited(-1, -1, code, -1, "", true));
  }

  /// `… EXIT STRING: Killed (signal 9)`.
  private static boolean hydra(TextLine line) {
    var signal = line.seek("(signal ").integer();
    return line.good() && line.emit(new FailureEvent.Exited(-1, -1, -signal, -1, "", true));
  }
}
