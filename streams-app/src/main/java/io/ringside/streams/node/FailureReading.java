package io.ringside.streams.node;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Text;
import io.ringside.streams.fact.Fact;
import io.ringside.streams.parse.event.DeepSpeedEvent;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.event.FailureEvent.Chain;
import io.ringside.streams.parse.event.TorchEvent;
import io.ringside.streams.parse.scan.Chars;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Combines the lines of a traceback, or of torchrun's table of failures, into one statement.
/// Remembered from chunk to chunk. Owned by one stream thread.
final class FailureReading {
  /// Most ranks whose tracebacks may be interleaved in one file.
  private static final int MOST_RANKS = 512;

  /// This many ordinary lines after an exception show that the program went on: its last output,
  /// loggers' lines and a C++ stack are shorter.
  private static final int ALIVE = 60;

  /// This many lines are enough for a program that prints seldom, if they are [#LONG_NANOS] apart.
  private static final int ALIVE_LONG = 20;

  private static final long LONG_NANOS = 300_000_000_000L;

  /// This many lines are enough after an interpreter did not find a helper of the program's script.
  private static final int ALIVE_WITHOUT = 3;

  private static final int MOST_OPEN = 64;

  private static final int MOST_FLAGS = 256;

  /// Flags whose names other programs print as well.
  private static final Set<String> OF_ANYTHING = Set.of("Pending", "Reset Required");

  private static final Traceback NEW = new Traceback(false, false, false, false, null, 0);

  /// Most lines of code and of other ranks between a frame and the exception.
  private static final int PATIENCE = 64;

  /// TensorBoard's writer has a thread of its own. If it fails, a program goes on and ends well.
  private static final String WRITER = "event_file_writer.py";

  /// PyTorch's autotuner tries kernels in threads of its own. For kernels that do not fit the GPU
  /// it logs a traceback that no call of the program leads to (`_precompile`, `autotune`), and it
  /// takes another kernel.
  private static final String AUTOTUNER = "torch/_inductor/select_algorithm.py";

  /// PyTorch's exceptions quote NCCL's last warning on the line after this one
  /// (torch/csrc/distributed/c10d/NCCLUtils.cpp, `getNcclErrorDetailStr`).
  private static final String LAST_ERROR = "Last error:";

  private static final String RANK = "[rank";

  /// Function name of a program's top-level lines in a traceback.
  private static final String MODULE = "<module>";

  /// Message if no line names the MPI error.
  private static final String MPI_FATAL = "an error of MPI that is fatal";

  private static final int LONGEST_PREFIX = 100;
  private static final int LONGEST_QUOTE = 300;

  private final Map<Integer, Traceback> tracebacks = new HashMap<>();

  /// Ranks whose newest traceback begins at the top level of a program.
  private final Set<Integer> ofPrograms = new HashSet<>();

  /// The NCCL error that PyTorch raised last.
  private @Nullable Failed nccl;

  /// By the text before `Last error:`, the failure whose last NCCL warning is quoted by the next
  /// line with the same text.
  private final Map<String, Failed> quoting = new HashMap<>();

  /// Most bytes of a frame, its line of code and the marks below it.
  private static final int LAST_BYTES = 800;

  private int patience;
  private @Nullable Fact last;
  private int tableRank = -1;
  private String tableHost = "";
  private String tableTime = "";
  private boolean rootCause;
  private int mpiRank = -1;
  private String mpiError = MPI_FATAL;

  /// Whether the code of an `MPI_Abort` is expected next.
  private boolean aborting;

  /// Bus id of the GPU that `nvidia-smi -q` lists at this point.
  private String listedGpu = "";

  /// Flags that are set, each as the GPU's bus id and the flag's name.
  private final Set<String> flags = new HashSet<>();

  private final PodDescription pod = new PodDescription();
  private final GpuTables tables = new GpuTables();

  /// Whether torchrun has reported a failure in this file.
  private boolean elastic;

  /// Exceptions after which it is not yet known whether the program went on, oldest first.
  private final List<Open> open = new ArrayList<>();

  /// Number of lines without a statement that came while an exception was open.
  private long ordinary;

  /// @param lines count of lines without a statement at the exception, less if fewer of them are
  ///   enough
  /// @param nanos time of the first such line after the exception that has one, NO_TIME until one
  ///   comes
  record Open(long lines, long offset, long nanos) {}

  /// @param frame the innermost frame of the user's own code
  record Failed(int rank, @Nullable String frame) {}

  /// A traceback whose exception has not come yet.
  ///
  /// @param ignored whether the program goes on after the exception, as Python says
  /// @param thread whether it is of a thread other than the main one
  /// @param begun whether a frame has come
  /// @param frame the innermost frame of the user's own code so far
  /// @param beside how many other ignored tracebacks are interleaved with this ignored one: ending
  ///   processes print to one file
  record Traceback(
      boolean ignored,
      boolean chained,
      boolean thread,
      boolean begun,
      @Nullable String frame,
      int beside) {
    static Traceback after(@Nullable Traceback before, boolean ignored, boolean thread) {
      if (before == null) {
        return new Traceback(ignored, false, thread, false, null, 0);
      }
      boolean through = before.begun() && before.ignored() && ignored;
      int beside = through ? before.beside() + 1 : before.begun() ? 0 : before.beside();
      return before.frame() == null
          ? new Traceback(
              ignored || before.ignored(),
              before.chained(),
              thread || before.thread(),
              false,
              null,
              beside)
          : new Traceback(ignored, false, thread, false, null, beside);
    }

    Traceback in(boolean ignored, @Nullable String frame) {
      return new Traceback(ignored, chained, thread, true, frame, beside);
    }

    Chain chain() {
      return thread ? Chain.THREAD : chained ? Chain.FOLLOWS : Chain.TRACED;
    }
  }

  /// Remembers an exception until [#ALIVE] lines have come after it.
  ///
  /// @param offset of its line
  void raised(long offset) {
    await(offset, ALIVE);
  }

  /// The same for a script that an interpreter did not find. A few lines after it are enough to
  /// show that the job does not need the script.
  void missed(long offset) {
    await(offset, ALIVE_WITHOUT);
  }

  private void await(long offset, int lines) {
    if (open.size() < MOST_OPEN) {
      open.add(new Open(ordinary - ALIVE + lines, offset, NO_TIME));
    }
  }

  /// Records that a server has answered a request: exceptions raised before were caught.
  List<FailureEvent> answered() {
    var wentOn =
        open.stream().<FailureEvent>map(it -> new FailureEvent.WentOn(it.offset())).toList();
    open.clear();
    return wentOn;
  }

  /// Whether the exception of a rank's traceback has not come yet.
  boolean awaits(int rank) {
    var traceback = tracebacks.get(rank);
    return traceback != null && traceback.begun();
  }

  /// NCCL's last warning, if the line quotes it after an exception of PyTorch's. If NCCL itself
  /// prints nothing, only this line shows the reason.
  ///
  /// @param told whether the line states something by itself
  Optional<FailureEvent> lastError(Text text, int from, int end, boolean told) {
    var raised = nccl;
    if (raised == null) {
      return Optional.empty();
    }
    int mark = end - from <= LONGEST_PREFIX ? Chars.find(text, from, end, LAST_ERROR) : -1;
    if (mark >= 0 && text.substring(mark + LAST_ERROR.length(), end).isBlank()) {
      var prefix = prefix(text, from, mark);
      int rank = prefix.startsWith(RANK) ? number(prefix.substring(RANK.length())) : raised.rank();
      if (quoting.size() < MOST_OPEN) {
        quoting.put(prefix, rank == raised.rank() ? raised : new Failed(rank, null));
      }
      return Optional.empty();
    }
    if (quoting.isEmpty()) {
      return Optional.empty();
    }
    int ranked = Chars.find(text, from, Math.min(end, from + LONGEST_PREFIX), RANK);
    int begin = ranked < 0 ? from : ranked;
    var prefix =
        quoting.keySet().stream()
            .filter(it -> text.startsWith(it, begin))
            .max(Comparator.comparingInt(String::length))
            .orElse(null);
    if (prefix == null) {
      return Optional.empty();
    }
    var failed = quoting.remove(prefix);
    int words = begin + prefix.length();
    var quote = text.head(words, end, LONGEST_QUOTE).strip();
    return told || failed == null || quote.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new FailureEvent.Raised(
                failed.rank(),
                "torch.distributed.DistBackendError",
                quote,
                failed.frame(),
                Chain.TRACED));
  }

  /// The text that shows whose line it is: from the rank on if it is named, without a collector's
  /// prefix.
  private static String prefix(Text text, int from, int to) {
    int rank = Chars.find(text, from, to, RANK);
    return text.substring(rank < 0 ? from : rank, to);
  }

  /// Counts down the patience for an exception at a line without a statement.
  ///
  /// @return whether it may be the exception of a traceback whose last frame came at most
  ///   [#PATIENCE] such lines ago
  boolean mayRaise() {
    return !tracebacks.isEmpty() && --patience >= 0;
  }

  /// Remembers the traceback frame that was read last.
  ///
  /// @param frame null if the line is something else
  void standsIn(@Nullable Fact frame) {
    last = frame;
  }

  /// The exception of a traceback that is cut off by the end of the log.
  ///
  /// @param end offset of the log's end
  Optional<Fact> unfinished(long end) {
    var at = last;
    if (at == null
        || !(at.event() instanceof FailureEvent.Frame frame)
        || end - at.offset() > LAST_BYTES) {
      return Optional.empty();
    }
    var traceback = tracebacks.getOrDefault(frame.rank(), NEW);
    return traceback.ignored()
        ? Optional.empty()
        : Optional.of(
            at.saying(
                new FailureEvent.Raised(
                    frame.rank(),
                    "an exception",
                    "the log ends before its name",
                    traceback.frame(),
                    Chain.TRACED)));
  }

  /// Whether lines without a statement must be counted.
  boolean isOpen() {
    return !open.isEmpty();
  }

  /// Counts a line without a statement.
  ///
  /// @param nanos when it was written, NO_TIME if unknown
  /// @return that the program went on after an exception, at the line that proves it
  Optional<FailureEvent> ordinary(long nanos) {
    if (open.isEmpty()) {
      return Optional.empty();
    }
    ordinary++;
    open.replaceAll(it -> it.nanos() == NO_TIME ? new Open(it.lines(), it.offset(), nanos) : it);
    var first = open.getFirst();
    long lines = ordinary - first.lines();
    boolean apart = nanos != NO_TIME && nanos - first.nanos() >= LONG_NANOS;
    return lines >= ALIVE || apart && lines >= ALIVE_LONG
        ? Optional.of(new FailureEvent.WentOn(open.removeFirst().offset()))
        : Optional.empty();
  }

  /// The failure that the lines so far report, once they are complete.
  Optional<FailureEvent> read(FailureEvent event) {
    return switch (event) {
      case FailureEvent.TracebackBegun(int rank, boolean ignored, boolean thread) -> {
        open(rank, Traceback.after(tracebacks.get(rank), ignored, thread));
        yield Optional.empty();
      }
      case FailureEvent.Frame frame -> {
        patience = PATIENCE;
        var before = tracebacks.getOrDefault(frame.rank(), NEW);
        if (!before.begun()) {
          begins(frame);
        }
        boolean ignored =
            before.ignored()
                || frame.file().endsWith(WRITER)
                || before.frame() == null && frame.file().endsWith(AUTOTUNER);
        if (own(frame.file())) {
          var place = "%s:%d in %s".formatted(frame.file(), frame.line(), frame.function());
          open(frame.rank(), before.in(ignored, place));
        } else {
          open(frame.rank(), before.in(ignored, before.frame()));
        }
        yield Optional.empty();
      }
      case FailureEvent.Chained(int rank) -> {
        open(rank, new Traceback(false, true, false, false, null, 0));
        yield Optional.empty();
      }
      case FailureEvent.Raised raised -> {
        var traceback = tracebacks.remove(raised.rank());
        if (traceback == null) {
          yield Optional.of(raised);
        }
        if (traceback.beside() > 0) {
          open(
              raised.rank(), new Traceback(true, false, false, true, null, traceback.beside() - 1));
        }
        yield traceback.ignored()
            ? Optional.empty()
            : Optional.of(
                new FailureEvent.Raised(
                    raised.rank(),
                    raised.type(),
                    raised.message(),
                    traceback.frame(),
                    traceback.chain() == Chain.TRACED && ofPrograms.contains(raised.rank())
                        ? Chain.MAIN
                        : traceback.chain()));
      }
      case FailureEvent.Said said -> Optional.of(tables.naming(said));
      case FailureEvent.Tabled tabled -> tables.read(tabled).map(flag -> flag);
      case FailureEvent.Exited _,
          FailureEvent.Cancelled _,
          FailureEvent.WentOn _,
          FailureEvent.Xid _,
          FailureEvent.SwitchXid _,
          FailureEvent.DriverNotice _,
          FailureEvent.LinkDown _,
          FailureEvent.Booted _ ->
          Optional.of(event);
      case FailureEvent.Reported reported -> Optional.of(pod.named(reported));
      case FailureEvent.Described described -> pod.read(described).<FailureEvent>map(it -> it);
      case FailureEvent.GpuListed(String busId) -> {
        listedGpu = busId;
        yield Optional.empty();
      }
      case FailureEvent.GpuFlag flag -> flag(flag);
    };
  }

  /// Reports a flag that is newly set, or one that was set and is no longer.
  private Optional<FailureEvent> flag(FailureEvent.GpuFlag flag) {
    boolean known = !listedGpu.isEmpty() || !OF_ANYTHING.contains(flag.flag());
    var id = listedGpu + flag.flag();
    boolean tells =
        flag.value().isEmpty()
            ? flags.remove(id)
            : known && (flags.size() < MOST_FLAGS && flags.add(id));
    return tells
        ? Optional.of(new FailureEvent.GpuFlag(listedGpu, flag.flag(), flag.value()))
        : Optional.empty();
  }

  /// The same for what torchrun and PyTorch's process groups report.
  Optional<FailureEvent> read(TorchEvent event) {
    return switch (event) {
      case TorchEvent.ElasticFailure failed -> {
        elastic = true;
        open.clear(); // later lines may be of workers that it starts again
        yield Optional.of(
            new FailureEvent.Exited(
                -1, failed.localRank(), failed.exitCode(), failed.pid(), "", false));
      }
      case TorchEvent.ElasticRestart _ ->
          Optional.of(new FailureEvent.Exited(-1, -1, 1, -1, "", false));
      case TorchEvent.FailureField(String name, String value) -> field(name, value);
      case TorchEvent.NcclFailure failure -> {
        var traceback = tracebacks.remove(failure.rank());
        nccl = new Failed(failure.rank(), traceback == null ? null : traceback.frame());
        yield Optional.of(
            new FailureEvent.Raised(
                failure.rank(),
                "torch.distributed.DistBackendError",
                failure.error(),
                traceback == null ? null : traceback.frame(),
                Chain.TRACED));
      }
      case TorchEvent.TakenDown down -> {
        nccl = new Failed(down.rank(), null);
        yield Optional.of(
            new FailureEvent.Raised(
                down.rank(), "process taken down", down.reason(), null, Chain.TRACED));
      }
      case TorchEvent.ElasticPhase phase ->
          phase.phase().equals("death signal")
              ? Optional.of(
                  new FailureEvent.Cancelled(
                      FailureClass.STOPPED, "torchrun received a death signal"))
              : Optional.empty();
      case TorchEvent.WatchdogTimeout _,
          TorchEvent.DumpSignal _,
          TorchEvent.WatchdogStuck _,
          TorchEvent.LaggingRanks _,
          TorchEvent.GroupOptions _,
          TorchEvent.UniqueIdWait _,
          TorchEvent.StoreLost _,
          TorchEvent.ElasticRanks _ ->
          Optional.empty();
    };
  }

  /// The same for the end of a process that DeepSpeed's launcher reports.
  Optional<FailureEvent> read(DeepSpeedEvent.LaunchedExit exit) {
    return exit.code() == 0
        ? Optional.empty()
        : Optional.of(new FailureEvent.Exited(-1, -1, exit.code(), -1, "", false));
  }

  /// Records that a traceback begins with this frame.
  private void begins(FailureEvent.Frame frame) {
    if (!frame.function().equals(MODULE)) {
      ofPrograms.remove(frame.rank());
    } else if (ofPrograms.size() < MOST_RANKS) {
      ofPrograms.add(frame.rank());
    }
  }

  private void open(int rank, Traceback traceback) {
    if (tracebacks.size() < MOST_RANKS || tracebacks.containsKey(rank)) {
      tracebacks.put(rank, traceback);
    }
  }

  /// Takes a field of a table: `rank      : 0 (local_rank: 0)`, then `exitcode  : -6 (pid: 197)`.
  /// The entry after `Root Cause` is the first failure.
  private Optional<FailureEvent> field(String name, String value) {
    switch (name) {
      case "root cause" -> rootCause = true;
      case "time" -> tableTime = value.strip();
      case "host" -> tableHost = value.strip();
      case "rank" -> tableRank = number(value);
      case "mpi rank" -> mpiRank = number(value);
      case "mpi abort" -> {
        aborting = true;
        mpiRank = number(value);
      }
      case "mpi abort code" -> {
        int rank = elastic ? -1 : mpiRank;
        boolean told = aborting;
        aborting = false;
        mpiRank = -1;
        return told
            ? Optional.of(new FailureEvent.Exited(rank, -1, number(value), -1, "", true))
            : Optional.empty();
      }
      case "mpi error" -> mpiError = value;
      case "mpi fatal" -> {
        var said = new FailureEvent.Said(mpiRank, FailureClass.UNKNOWN, mpiError);
        mpiRank = -1;
        mpiError = MPI_FATAL;
        return Optional.of(said);
      }
      case "mpi signal" -> {
        int rank = mpiRank;
        mpiRank = -1;
        return rank < 0
            ? Optional.empty()
            : Optional.of(new FailureEvent.Exited(rank, -1, -number(value), -1, "", true));
      }
      case "hydra code" -> {
        int rank = mpiRank;
        mpiRank = -1;
        return Optional.of(new FailureEvent.Exited(rank, -1, number(value), -1, "", true));
      }
      case "mpi exitcode" -> {
        // mpirun starts torchrun here: its processes are launchers, one a node
        int rank = elastic ? -1 : mpiRank;
        mpiRank = -1;
        return Optional.of(new FailureEvent.Exited(rank, -1, number(value), -1, "", rank >= 0));
      }
      case "exitcode" -> {
        var exited =
            new FailureEvent.Exited(
                tableRank,
                -1,
                number(value),
                number(after(value, "pid: ")),
                tableHost,
                rootCause,
                tableTime);
        tableRank = -1;
        tableTime = "";
        tableHost = "";
        rootCause = false;
        return Optional.of(exited);
      }
      default -> {
        // error_file and traceback add nothing to what other lines state
      }
    }
    return Optional.empty();
  }

  private static String after(String value, String mark) {
    int at = value.indexOf(mark);
    return at < 0 ? "" : value.substring(at + mark.length());
  }

  private static int number(String text) {
    int at = 0;
    boolean negative = text.startsWith("-");
    int value = 0;
    for (at = negative ? 1 : 0; at < text.length() && at < 10; at++) {
      char c = text.charAt(at);
      if (c < '0' || c > '9') {
        break;
      }
      value = value * 10 + (c - '0');
    }
    return at == (negative ? 1 : 0) ? -1 : negative ? -value : value;
  }

  /// Whether a file is the user's own and not a library's.
  private static boolean own(String file) {
    return !file.contains("site-packages/")
        && !file.contains("dist-packages/")
        && !file.contains("/lib/python")
        && !file.endsWith(".h")
        && !file.endsWith(".cc")
        && !file.startsWith("<");
  }
}
