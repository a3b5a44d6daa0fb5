package io.ringside.streams.parse.failure;

import static io.ringside.streams.parse.failure.Statements.said;
import static io.ringside.streams.parse.failure.Statements.saying;
import static io.ringside.streams.parse.failure.Statements.shortened;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.event.TorchEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// What Open MPI, MPICH's Hydra and PALS report about ranks that ended or never started.
public final class MpiLines {

  private MpiLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          saying(
              FailureClass.NODE_LOST,
              "ORTE has lost communication with a remote daemon*",
              "Open MPI 4"),
          saying(
              FailureClass.NODE_LOST,
              "PRTE has lost communication with a remote daemon*",
              "Open MPI 5"),
          saying(
              FailureClass.NETWORK,
              "An MPI communication peer process has unexpectedly disconnected.*",
              "Open MPI"),
          saying(
              FailureClass.NETWORK,
              "A process or daemon was unable to complete a TCP connection*",
              "Open MPI"),
          saying(
              FailureClass.CONFIGURATION,
              "ORTE was unable to reliably start one or more daemons.*",
              "Open MPI to 4"),
          saying(
              FailureClass.CONFIGURATION,
              "There are not enough slots available in the system to satisfy the #*",
              "Open MPI"),
          Shape.of(
              "but OMPI was not built with *",
              "Open MPI to 4, started by srun",
              line -> said(line, "but ", FailureClass.CONFIGURATION)),
          saying(
              FailureClass.CONFIGURATION,
              "Open MPI requires access to a local PMIx server*",
              "Open MPI 5, started by srun"),
          saying(
              FailureClass.UNKNOWN,
              "Primary job  terminated normally, but # process*",
              "Open MPI to 4"),
          Shape.of(
              "MPI_ABORT was invoked on rank # in communicator *", "Open MPI", MpiLines::aborted),
          Shape.of("with errorcode *", "Open MPI to 4", MpiLines::abortCode),
          Shape.of("Errorcode: *", "Open MPI 5", MpiLines::abortCode),
          Shape.of("mpirun noticed that process rank # *", "Open MPI", MpiLines::noticed),
          Shape.of("mpiexec noticed that process rank # *", "Open MPI", MpiLines::noticed),
          Shape.of("prterun noticed that process rank # *", "Open MPI 5", MpiLines::noticed),
          Shape.of("Process name: [[*,#],#]*", "Open MPI", MpiLines::openMpiRank),
          Shape.of("Process name: [prterun-*@#,#] Exit code: *", "Open MPI 5", MpiLines::prteCode),
          Shape.of("Exit code:    #*", "Open MPI", MpiLines::openMpiCode),
          Shape.of("signal # (*).", "Open MPI 5, wrapped", MpiLines::wrapped),
          Shape.of("rank # died from signal #*", "PALS", MpiLines::pals),
          Shape.of("rank # exited with code #*", "PALS", MpiLines::pals),
          Shape.of("=   RANK # PID # RUNNING AT *", "Intel MPI", MpiLines::hydraRank),
          Shape.of("=   KILLED BY SIGNAL: #*", "MPICH, Intel MPI", MpiLines::hydraSignal),
          Shape.of("=   EXIT STATUS: #*", "Intel MPI 2019+", MpiLines::hydraCode),
          Shape.of(
              "application called MPI_Abort(*, #) - process #*", "MPICH", MpiLines::mpichAbort),
          Shape.of("Abort(#) on node # (rank # in comm #): *", "MPICH 3.3+", MpiLines::mpichAbort),
          Shape.of("MPICH ERROR [Rank #] *Abort(#)*", "Cray MPICH", MpiLines::mpichAbort),
          saying(FailureClass.UNKNOWN, "Fatal error in PMPI_Init*", "MPICH to 3.2"),
          saying(FailureClass.UNKNOWN, "An internal error has occurred in ORTE:*", "Open MPI to 4"),
          Shape.of("=   EXIT CODE: #*", "MPICH", MpiLines::hydraCode),
          Shape.of(
              "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: *", "MPICH", MpiLines::hydra));

  /// `mpirun noticed that process rank 3 with PID 1234 on node worker-1 exited on signal 9
  /// (Killed).` A paste may hide the pid.
  private static boolean noticed(TextLine line) {
    boolean whole = !line.ahead().endsWith(" exited on");
    var rank = line.seek("process rank ").integer();
    var pid = number(line.seek("with PID ").until(' '));
    var host = line.expect(" on node ").until(' ');
    if (!whole) {
      return line.good()
          && line.emit(new TorchEvent.FailureField("mpi rank", String.valueOf(rank)));
    }
    var signal = line.seek("signal ").integer();
    return line.good() && line.emit(new FailureEvent.Exited(rank, -1, -signal, pid, host, true));
  }

  /// `signal 11 (Segmentation fault).`, wrapped to the next line (PRRTE's help-prun.txt).
  private static boolean wrapped(TextLine line) {
    int signal = line.expect("signal ").integer();
    return line.good()
        && line.emit(new TorchEvent.FailureField("mpi signal", String.valueOf(signal)));
  }

  /// `Process name: [prterun-gpu-1-4471@1,2] Exit code:    1`: rank 2 of PRRTE's job 1.
  private static boolean prteCode(TextLine line) {
    line.seek("@").seek(",");
    var rank = line.integer();
    var code = line.seek("code:").blanks().integer();
    return line.good()
        && code != 0
        && line.emit(new FailureEvent.Exited(rank, -1, code, -1, "", true));
  }

  private static final String FATAL = "*** MPI_ERRORS_ARE_FATAL (";

  /// Open MPI's report of a failed call, line by line (ompi/errhandler, `backend_fatal_aggregate`):
  /// the process, the error, and that the job ends.
  ///
  /// ```text
  ///   [gpu-1:3345] *** reported by process [1912602625,2]
  ///   [gpu-1:3345] *** MPI_ERR_TRUNCATE: message truncated
  ///   [gpu-1:3345] *** MPI_ERRORS_ARE_FATAL (processes in this communicator will now abort,
  /// ```
  public static boolean fatal(TextLine line) {
    int from = line.at();
    if (line.skip("*** reported by process [")) {
      var rank = line.seek(",").integer();
      return line.good()
          && line.emit(new TorchEvent.FailureField("mpi rank", String.valueOf(rank)));
    }
    if (line.skip(FATAL)) {
      return line.emit(new TorchEvent.FailureField("mpi fatal", ""));
    }
    if (line.skip("*** MPI_ERR_")) {
      line.back(from + "*** ".length());
      return line.emit(new TorchEvent.FailureField("mpi error", shortened(line.rest())));
    }
    line.back(from);
    return false;
  }

  private static int number(String digits) {
    return digits.matches("\\d{1,9}") ? Integer.parseInt(digits) : -1;
  }

  /// `MPI_ABORT was invoked on rank 2 in communicator MPI_COMM_WORLD`, with its code one or two
  /// lines below. A copy of the world communicator, `MPI COMMUNICATOR 5 DUP FROM 0`, has the same
  /// ranks; for other communicators the rank in the world is unknown.
  private static boolean aborted(TextLine line) {
    var rank = line.seek(" on rank ").integer();
    var communicator = line.seek("communicator ").rest().strip();
    boolean world =
        communicator.startsWith("MPI_COMM_WORLD") || communicator.endsWith(" DUP FROM 0");
    return line.good()
        && line.emit(new TorchEvent.FailureField("mpi abort", world ? String.valueOf(rank) : ""));
  }

  /// `with errorcode 1.`, or `  Errorcode: 1`. Code 0 is skipped: a program may end its other ranks
  /// with it once its work is done.
  private static boolean abortCode(TextLine line) {
    line.seek("rrorcode");
    line.skip(":");
    var code = line.blanks().integer();
    return line.good()
        && code != 0
        && line.emit(new TorchEvent.FailureField("mpi abort code", String.valueOf(code)));
  }

  /// `Process name: [[34415,1],1]`, job and rank, below `mpirun detected that one or more processes
  /// exited with non-zero status … The first process to do so was:`.
  private static boolean openMpiRank(TextLine line) {
    line.seek("[[").seek(",").integer();
    var rank = line.expect("],").integer();
    line.expect("]");
    return line.good() && line.emit(new TorchEvent.FailureField("mpi rank", String.valueOf(rank)));
  }

  /// The exit code, below that line.
  private static boolean openMpiCode(TextLine line) {
    var code = line.seek("code:").blanks().integer();
    return line.good()
        && code != 0
        && line.emit(new TorchEvent.FailureField("mpi exitcode", String.valueOf(code)));
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

  /// `=   RANK 3 PID 3326541 RUNNING AT gpu-7`. The lines after it say how the rank ended.
  private static boolean hydraRank(TextLine line) {
    int rank = line.seek("RANK ").integer();
    return line.good() && line.emit(new TorchEvent.FailureField("mpi rank", String.valueOf(rank)));
  }

  private static boolean hydraSignal(TextLine line) {
    int signal = line.seek("SIGNAL: ").integer();
    return line.good() && hydraEnded(line, -signal);
  }

  /// The exit code of a process. If a signal ended it, the code is the signal's number (Hydra's
  /// pmiserv_pmci.c).
  private static boolean hydraCode(TextLine line) {
    int code = line.seek(": ").integer();
    return line.good() && code != 0 && hydraEnded(line, SIGNALS.contains(code) ? -code : code);
  }

  private static final Set<Integer> SIGNALS = Set.of(6, 7, 9, 11, 15);

  private static boolean hydraEnded(TextLine line, int code) {
    return line.emit(new TorchEvent.FailureField("hydra code", String.valueOf(code)));
  }

  /// `Abort(1) on node 3 (rank 3 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, 1) -
  /// process 3` (MPICH's src/mpi/init/initthread.c, src/mpid). In comm 0 ranks are those of the
  /// world.
  private static boolean mpichAbort(TextLine line) {
    var words = line.ahead();
    var rank = WORLD_RANK.matcher(words);
    int of = rank.find() ? Integer.parseInt(rank.group(1)) : -1;
    var called = CALLED.matcher(words);
    if (!called.find()) {
      return line.emit(new FailureEvent.Said(of, FailureClass.UNKNOWN, shortened(words)));
    }
    int code = Integer.parseInt(called.group(1));
    return code != 0
        && line.emit(
            new FailureEvent.Exited(
                of < 0 ? Integer.parseInt(called.group(2)) : of, -1, code, -1, "", true));
  }

  private static final Pattern WORLD_RANK = Pattern.compile("\\(rank (\\d{1,6}) in comm 0\\)");

  private static final Pattern CALLED =
      Pattern.compile(
          "application called MPI_Abort\\(MPI_COMM_WORLD, (-?\\d{1,6})\\) - process (\\d{1,6})");

  /// `… EXIT STRING: Killed (signal 9)`.
  private static boolean hydra(TextLine line) {
    var signal = line.seek("(signal ").integer();
    return line.good() && line.emit(new FailureEvent.Exited(-1, -1, -signal, -1, "", true));
  }
}
