package io.ringside.streams.parse.failure;

import static io.ringside.streams.parse.failure.Statements.said;
import static io.ringside.streams.parse.failure.Statements.saying;
import static io.ringside.streams.parse.failure.Statements.shortened;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// What PaddlePaddle's launcher, LSF, PBS, SageMaker and Kubeflow report about processes that ended
/// or never started, and the lines of signal handlers. The lines of torchrun and DeepSpeed are read
/// with the rest of their output.
public final class LauncherLines {
  private static final int SIGSEGV = -11;
  private static final int SIGABRT = -6;
  private static final int SIGBUS = -7;
  private static final int SIGTERM = -15;

  private LauncherLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of("Container rank # status failed cmd *", "PaddlePaddle", LauncherLines::paddle),
          saying(FailureClass.UNKNOWN, "Failed - Training job failed*", "SageMaker"),
          Shape.of(
              "TERM_RUNLIMIT: job killed*", "LSF", line -> batch(line, FailureClass.TIME_LIMIT)),
          Shape.of(
              "TERM_DEADLINE: job killed*", "LSF", line -> batch(line, FailureClass.TIME_LIMIT)),
          Shape.of(
              "TERM_CPULIMIT: job killed*", "LSF", line -> batch(line, FailureClass.TIME_LIMIT)),
          Shape.of("TERM_OWNER: job killed*", "LSF", line -> batch(line, FailureClass.STOPPED)),
          Shape.of("TERM_ADMIN: job killed*", "LSF", line -> batch(line, FailureClass.STOPPED)),
          Shape.of("TERM_PREEMPT: job killed*", "LSF", line -> batch(line, FailureClass.STOPPED)),
          saying(
              FailureClass.OUT_OF_MEMORY,
              "Hold reason: Error from * gone over memory limit of *",
              "HTCondor"),
          saying(
              FailureClass.OUT_OF_MEMORY,
              "Error from *ob has gone over memory limit of *",
              "HTCondor"),
          saying(FailureClass.UNKNOWN, "wandb: Program failed with code *", "wandb up to 0.12"),
          saying(
              FailureClass.UNKNOWN,
              "wandb: Waiting for W&B process to finish... (failed *",
              "wandb 0.12+"),
          saying(FailureClass.OUT_OF_MEMORY, "TERM_MEMLIMIT: job killed*", "LSF"),
          Shape.behind("Exited with exit code #.", "LSF", LauncherLines::exited),
          Shape.behind("Exited by signal #. *", "LSF", LauncherLines::killed),
          Shape.of(
              "=>> PBS: job killed: walltime *",
              "PBS",
              line -> batch(line, FailureClass.TIME_LIMIT)),
          Shape.of(
              "Job exceeded its walltime limit*",
              "Torque, by mail",
              line -> batch(line, FailureClass.TIME_LIMIT)),
          saying(FailureClass.OUT_OF_MEMORY, "=>> PBS: job killed: *mem *exceed*", "PBS"),
          Shape.of(
              "Message: *Job * failed because # * replica(s) failed*",
              "Kubeflow",
              line -> said(line, "Message:", FailureClass.UNKNOWN)),
          Shape.of(
              "Message: *Job * is restarting because # * replica(s) failed*",
              "Kubeflow, until it runs again",
              line -> said(line, "Message:", FailureClass.UNKNOWN)),
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
          saying(
              FailureClass.CONFIGURATION, "FATAL:   *", "Apptainer, which starts no program then"),
          Shape.of("Aborted (core dumped)*", "shells", line -> ended(line, SIGABRT)));

  /// `Container rank 3 status failed cmd ['/usr/bin/python', '-u', 'train.py'] code -9 log
  /// log/workerlog.3` (python/paddle/distributed/launch/job/container.py).
  private static boolean paddle(TextLine line) {
    var rank = line.expect("Container rank ").integer();
    var code = line.seek("] code ").integer();
    return line.good()
        && code != 0
        && line.emit(new FailureEvent.Exited(rank, -1, code, -1, "", true));
  }

  /// `TERM_RUNLIMIT: job killed after reaching LSF run time limit.`: names what ended the job.
  private static boolean batch(TextLine line, FailureClass failureClass) {
    return line.emit(new FailureEvent.Cancelled(failureClass, shortened(line.rest())));
  }

  /// `Signal 9 (SIGKILL) received by PID 2083`, without torchrun's other fields for the process
  /// (torch/distributed/elastic/multiprocessing/errors, `ProcessFailure`).
  private static boolean signalled(TextLine line) {
    int signal = line.seek("Signal ").integer();
    int pid = line.seek(" received by PID ").integer();
    return line.good()
        && line.emit(new FailureEvent.Exited(line.rank(), -1, -signal, pid, "", false));
  }

  /// Signals that end a process by default, including those that ask it to end (signal.h).
  private static final Map<String, Integer> SIGNALS =
      Map.of(
          "SIGHUP", 1, "SIGINT", 2, "SIGILL", 4, "SIGABRT", -SIGABRT, "SIGBUS", -SIGBUS, "SIGFPE",
          8, "SIGSEGV", -SIGSEGV, "SIGTERM", -SIGTERM);

  private static final Set<String> ASKED = Set.of("SIGHUP", "SIGINT", "SIGTERM");

  /// `*** SIGSEGV (@0x0) received by PID 24044 (TID 0x7f64…) from PID 0; stack trace: ***` (glog's
  /// src/signalhandler.cc), or Abseil's `*** SIGABRT received at time=1780000000 on cpu 7 ***`
  /// (absl/debugging/failure_signal_handler.cc), which Ray uses. Paddle prints it as
  /// `[SignalInfo: *** … ***]`.
  public static boolean fatalSignal(TextLine line) {
    line.skip("[SignalInfo: ");
    var name = line.expect("*** ").until(' ');
    boolean abseil = line.skip(" received at time=");
    int pid = abseil ? -1 : line.seek(" received by PID ").integer();
    var signal = SIGNALS.get(name);
    if (abseil && ASKED.contains(name)) {
      return false; // Ray ends its idle workers this way
    }
    return line.good()
        && signal != null
        && line.emit(new FailureEvent.Exited(line.rank(), -1, -signal, pid, "", false));
  }

  /// `ABORT!!! Out of all 4 trainers, the trainer process with rank=[0, 2] was aborted. Please
  /// check its log.` (python/paddle/distributed/fleet/launch_utils.py). It does not say which of
  /// them was first.
  private static boolean paddleAborted(TextLine line) {
    int rank = line.seek("rank=[").integer();
    boolean alone = line.good() && line.peek() == ']';
    return line.good()
        && line.emit(new FailureEvent.Exited(alone ? rank : -1, -1, 1, -1, "", false));
  }

  /// `Exited with exit code 2.`, in LSF's report of a job.
  private static boolean exited(TextLine line) {
    int code = line.integer();
    line.expect(".");
    return line.done() && code != 0 && ended(line, code);
  }

  /// `Exited by signal 9. The CPU time used is 3.2 seconds.`, also in LSF's report.
  private static boolean killed(TextLine line) {
    int signal = line.integer();
    line.expect(".");
    return line.good() && signal > 0 && ended(line, -signal);
  }

  private static boolean ended(TextLine line, int code) {
    return line.emit(new FailureEvent.Exited(line.rank(), -1, code, -1, "", false));
  }

  private static final Pattern CPUS = Pattern.compile("<\\d[\\d,+:!~-]{0,200}> is invalid");

  /// `<0-7,64-71> is invalid`, numactl's last line if the machine lacks these CPUs or memory nodes:
  /// it does not start the program (numactl.c, `complain`).
  private static boolean numactl(TextLine line) {
    var words = line.rest().strip();
    return CPUS.matcher(words).matches()
        && line.emit(
            new FailureEvent.Said(line.rank(), FailureClass.CONFIGURATION, "numactl: " + words));
  }
}
