package io.ringside.streams.parse.failure;

import static io.ringside.streams.parse.failure.Statements.said;
import static io.ringside.streams.parse.failure.Statements.shortened;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;

/// What Slurm reports about steps that ended, that it cancelled or that it never started.
public final class SlurmLines {
  private static final int SIGKILL = -9;
  private static final int SIGSEGV = -11;
  private static final int SIGABRT = -6;
  private static final int SIGBUS = -7;
  private static final int SIGFPE = -8;
  private static final int SIGILL = -4;
  private static final int SIGTERM = -15;

  private SlurmLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of("slurmstepd: error: *** * CANCELLED AT *", "Slurm", SlurmLines::cancelled),
          Shape.of(
              "error: *** * CANCELLED AT *",
              "Slurm, behind its stamp or its host",
              SlurmLines::cancelled),
          Shape.of("slurmd[*]: *** * CANCELLED AT *", "Slurm to 14", SlurmLines::cancelled),
          Shape.of(
              "salloc: Job # has exceeded its time limit*",
              "Slurm, whose step is cancelled then without a reason",
              SlurmLines::allocationOver),
          Shape.of("slurmstepd: error: pyxis: *", "pyxis", SlurmLines::container),
          Shape.of("slurmstepd: error: Detected # oom*kill event*", "Slurm", SlurmLines::memory),
          Shape.of("slurmstepd: error: Exceeded * memory limit*", "Slurm", SlurmLines::memory),
          Shape.of(
              "error: Detected # oom_kill event*",
              "Slurm 22+",
              line -> said(line, "error: ", FailureClass.OUT_OF_MEMORY)),
          Shape.of("srun: error: *: task* #*: *", "Slurm", SlurmLines::task),
          Shape.of(
              "srun: error: Application launch failed: *",
              "Slurm",
              line -> said(line, "srun: error: ", FailureClass.UNKNOWN)),
          Shape.of("srun: error: Unable to create step for job #: *", "Slurm", SlurmLines::refused),
          Shape.of("srun: error: Unable to allocate resources: *", "Slurm", SlurmLines::refused),
          Shape.of("srun: error: Invalid --* argument: *", "Slurm", SlurmLines::refused),
          Shape.of("sbatch: error: Batch job submission failed: *", "Slurm", SlurmLines::refused),
          Shape.of("slurmstepd: error: NVML: *", "Slurm", SlurmLines::nvml),
          Shape.of(
              "srun: error: Node failure on *",
              "Slurm",
              line -> said(line, "srun: error: ", FailureClass.NODE_LOST)));

  /// `slurmstepd: error: *** STEP 152.13 ON gpu-153 CANCELLED AT 2025-04-30T01:52:49 DUE TO TIME
  /// LIMIT ***`, or at sites that configure stamps `[2025-04-30T01:52:49.530] error: *** …`
  /// (slurmstepd/req.c, src/common/log.c). The messages of the step and the job may be mixed: the
  /// last complete one counts.
  private static boolean cancelled(TextLine line) {
    var said = line.rest();
    int at = said.lastIndexOf(" CANCELLED AT ");
    int from = at < 0 ? -1 : said.lastIndexOf("*** ", at);
    var words = from < 0 ? "" : shortened(said.substring(from));
    if (!words.startsWith("*** JOB ") && !words.startsWith("*** STEP ")) {
      return false;
    }
    if (words.contains("DUE TO TASK FAILURE")) {
      return line.emit(
          new FailureEvent.Said(-1, FailureClass.UNKNOWN, words)); // no user asked for it
    }
    var failureClass =
        words.contains("DUE TO TIME LIMIT")
            ? FailureClass.TIME_LIMIT
            : words.contains("NODE FAIL") ? FailureClass.NODE_LOST : FailureClass.STOPPED;
    return line.emit(new FailureEvent.Cancelled(failureClass, words));
  }

  /// `salloc: Job 152 has exceeded its time limit and its allocation has been revoked.`
  /// (src/salloc/salloc.c).
  private static boolean allocationOver(TextLine line) {
    return line.emit(
        new FailureEvent.Cancelled(
            FailureClass.TIME_LIMIT, shortened(line.expect("salloc: ").rest())));
  }

  /// `slurmstepd: error: pyxis: container start failed with error code: 1`. The lines around it
  /// give the reason.
  private static boolean container(TextLine line) {
    var words = shortened(line.expect("slurmstepd: error: ").rest());
    return (words.contains("container start failed") || words.contains("couldn't start container"))
        && line.emit(new FailureEvent.Said(-1, FailureClass.CONFIGURATION, words));
  }

  /// `srun: error: Unable to create step for job 7: More processors requested than permitted`
  /// (Slurm's src/srun/libsrun, src/common/spank.c): the program is not started. Two cases are
  /// skipped: a step that starts after the end of its job says nothing about that end, and srun
  /// retries busy nodes.
  private static boolean refused(TextLine line) {
    var words = line.rest();
    words = shortened(words.substring(words.indexOf("error: ") + "error: ".length()));
    var job = words.contains(" argument: ") ? "" : words.substring(words.lastIndexOf(": ") + 1);
    return LATE.stream().noneMatch(job::contains)
        && line.emit(new FailureEvent.Said(-1, FailureClass.CONFIGURATION, words));
  }

  /// Slurm's messages about jobs that are over, and about Slurm itself (slurm_errno.c).
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

  private static boolean memory(TextLine line) {
    return said(line, "slurmstepd: error: ", FailureClass.OUT_OF_MEMORY);
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

  /// Exit code or negative signal in Slurm's message; 0 if it reports no failure.
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
    if (words.startsWith("Illegal instruction")) {
      return SIGILL;
    }
    if (words.startsWith("Floating point exception")) {
      return SIGFPE;
    }
    return words.startsWith("Terminated") ? SIGTERM : 0;
  }

  private static boolean nvml(TextLine line) {
    var words = shortened(line.expect("slurmstepd: error: ").rest());
    return words.contains("GPU is lost")
        && line.emit(new FailureEvent.Said(-1, FailureClass.GPU_ERROR, words));
  }
}
