package io.ringside.streams.parse.event;

import io.ringside.schemas.event.FailureClass;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What programs, launchers, schedulers and kernels say when a process fails. Whether the job died
/// of it is told by what comes after: a traceback may have been caught, and of eight processes that
/// end seven follow the first.
public sealed interface FailureEvent extends LineEvent {
  /// What the line's prefix names, else -1.
  default int rank() {
    return -1;
  }

  /// `Traceback (most recent call last):`.
  ///
  /// @param ignored whether Python says that it goes on: `Exception ignored in …`,
  ///   `--- Logging error ---`
  /// @param thread whether Python says that it ends no more than a thread: `Exception in thread …`
  record TracebackBegun(int rank, boolean ignored, boolean thread) implements FailureEvent {}

  /// `  File "/workspace/train.py", line 714, in train`.
  record Frame(int rank, String file, int line, String function) implements FailureEvent {}

  /// The next exception follows from the one before.
  record Chained(int rank) implements FailureEvent {}

  /// The last line of a traceback: `torch.OutOfMemoryError: CUDA out of memory. …`,
  /// `KeyboardInterrupt`.
  ///
  /// @param type with its module, as printed
  /// @param message may be empty
  /// @param frame the innermost frame of the user's own code, null where no line before it names
  ///   one
  /// @param chain what the lines before say of it
  record Raised(int rank, String type, String message, @Nullable String frame, Chain chain)
      implements FailureEvent {}

  /// How an exception's line stands to the lines before it.
  enum Chain {
    /// No traceback leads to it: it may be a message that quotes an exception.
    LOOSE,
    /// A program's logger tells of it: it was caught, and says why if the program ends all the
    /// same.
    LOGGED,
    TRACED,
    /// Its traceback is of a thread beside the main one, which goes on without it.
    THREAD,
    /// Its traceback says that it follows from the exception before.
    FOLLOWS,
    /// Its traceback begins with the first line of a program: nobody caught it.
    MAIN
  }

  /// A sentence that names what went wrong.
  ///
  /// @param words the sentence, shortened
  record Said(int rank, FailureClass failureClass, String words) implements FailureEvent {
    /// Whether it is of a part of the program, which may be tried again or done without: a job of
    /// Hydra's, a worker of Ray's.
    public boolean ofAPart() {
      return PARTS.stream().anyMatch(words::startsWith);
    }

    /// Whether an interpreter did not find a script, which may be a helper of the job.
    public boolean ofAScript() {
      return SCRIPTS.stream().anyMatch(words::startsWith);
    }

    /// Whether a shell says that what trains was killed, or Ray that a node was lost on which it
    /// did.
    public boolean ofALoss() {
      return switch (failureClass) {
        case KILLED, SEGFAULT -> TRAINS.matcher(words).find() && !words.contains("timeout ");
        case NODE_LOST -> words.startsWith("The actor ");
        case OUT_OF_MEMORY,
            GPU_OUT_OF_MEMORY,
            GPU_ERROR,
            EXCEPTION,
            DISK_FULL,
            DATA,
            NETWORK,
            NCCL,
            CONFIGURATION,
            TIME_LIMIT,
            STOPPED,
            UNKNOWN ->
            false;
      };
    }

    /// What a script starts to train, beside servers and helpers.
    private static final Pattern TRAINS =
        Pattern.compile(
            "\\b(?:torchrun|deepspeed|accelerate launch|horovodrun|mpirun|mpiexec|srun) "
                + "|\\bpython[\\d.]* .*(?:train|tune)");

    /// How a row of nvidia-smi's table begins that it could not fill in.
    public static final String ROW = "nvidia-smi |";

    /// How the words begin of what a program prints that had asked nvidia-smi.
    public static final String ASKED = "nvidia-smi, asked by a program: ";

    /// Whether it is of a GPU: its driver says the same again and again, as a kernel's log does.
    public boolean ofAGpu() {
      return failureClass == FailureClass.GPU_ERROR;
    }

    private static final List<String> PARTS =
        List.of("Error executing job", "A worker died", "The actor is dead", "The actor died");

    private static final List<String> SCRIPTS =
        List.of(
            "can't open file '", "can't find '__main__' module", "No module named", "FATAL:   ");
  }

  /// A launcher saw a process end.
  ///
  /// @param code exit code; negative is a signal
  /// @param localRank rank on its host, or -1
  /// @param pid or -1
  /// @param host or empty
  /// @param rootCause whether the launcher itself calls it the first
  /// @param toldAt when it ended by the launcher's words, `2026-11-20_22:45:52` by its own clock
  ///     and zone; empty where it says nothing of it. Good for comparison with others of its kind
  ///     alone
  record Exited(
      int rank, int localRank, int code, int pid, String host, boolean rootCause, String toldAt)
      implements FailureEvent {

    /// One of which the launcher does not say when.
    public Exited(int rank, int localRank, int code, int pid, String host, boolean rootCause) {
      this(rank, localRank, code, pid, host, rootCause, "");
    }

    /// Whether torchrun tells of a worker of its own: it may start all of them again.
    public boolean ofAWorker() {
      return localRank >= 0 && pid >= 0;
    }

    @SuppressWarnings("ConstantValue") // a version before this one told no time
    public Exited {
      toldAt = toldAt == null ? "" : toldAt;
    }
  }

  /// So many other lines came after an exception that the program lives: it caught it. Told by the
  /// reader, not by a line.
  ///
  /// @param offset of the exception's line; those before it were caught as well
  record WentOn(long offset) implements FailureEvent {}

  /// A scheduler or a person ended the job.
  record Cancelled(FailureClass failureClass, String words) implements FailureEvent {}

  /// Kubernetes or AWS tells what it did to a pod or a job, or how that ended.
  ///
  /// @param object such as `pod/llama-0` or `job/llama`; `aws/llama` by its name there
  /// @param end whether it is how things stand: an event may be of a pod that has run again since
  /// @param ofOwn whether it stands where somebody saved it with the job's own log, which names no
  ///     pod
  /// @param before whether it is of a container in whose place another one was started since
  record Reported(
      String object,
      FailureClass failureClass,
      String words,
      boolean end,
      boolean ofOwn,
      boolean before)
      implements FailureEvent {

    /// What names its object, and is how things stand or an event.
    public Reported(String object, FailureClass failureClass, String words, boolean end) {
      this(object, failureClass, words, end, false, false);
    }
  }

  /// `    Last State:     Terminated` of `kubectl describe pod`, put together before it is told.
  record Described(String field, String value) implements FailureEvent {}

  /// A GPU's driver reports an error: `NVRM: Xid (PCI:0000:9b:00): 119, pid=…, …`.
  ///
  /// @param busId PCI bus id as the driver writes it, or the UUID of the GPU where NVIDIA's device
  ///     plugin for Kubernetes tells of it
  record Xid(int code, String busId, String words) implements FailureEvent {
    /// Whether a GPU is named by its UUID, which no line of a job gives.
    public static boolean isUuid(String busId) {
      return busId.startsWith("GPU-") || busId.startsWith("MIG-");
    }
  }

  /// A switch between GPUs reports an error:
  /// `nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 20034, Fatal, Link 28 …`.
  ///
  /// @param busId PCI bus id of the switch
  /// @param fatal the driver's own word: the switch's jobs end, and it must be reset
  record SwitchXid(int code, String busId, boolean fatal, String words) implements FailureEvent {}

  /// The driver speaks of NVLink, the fabric, or a GPU that fell off the bus; libfabric of an
  /// operation that failed. Alone it proves no end; beside an Xid it says more.
  record DriverSaid(String words) implements FailureEvent {
    /// Whether libibverbs says that it has no library for a card that is there: then nothing that
    /// uses verbs sees the card.
    public boolean ofVerbs() {
      return words.startsWith("libibverbs: ");
    }

    /// Whether PyTorch says that it has not reached the store that ranks meet in, and tries again.
    public boolean ofStore() {
      return words.startsWith("TCP client failed to connect/validate to host ");
    }

    /// Whether it is of a start: of how it ends it says nothing.
    public boolean ofAStart() {
      return ofVerbs() || ofStore();
    }
  }

  /// A network card's driver says that a port lost its link:
  /// `mlx5_core 0000:53:00.0 enp83s0f0np0: Link down`. Once may be somebody who sets the port up.
  ///
  /// @param device PCI address of the card, as the driver writes it
  /// @param port `enp83s0f0np0`
  record LinkDown(String device, String port) implements FailureEvent {}

  /// A GPU's part of `nvidia-smi -q` begins: what follows is of this one.
  ///
  /// @param busId as NCCL writes it, `0000:9b:00.0`
  record GpuListed(String busId) implements FailureEvent {}

  /// `Remapping Failure Occurred : Yes` of `nvidia-smi -q`.
  ///
  /// @param busId empty where the GPU's heading is not here
  /// @param value empty where the flag is off
  record GpuFlag(String busId, String flag, String value) implements FailureEvent {
    /// The flag of a GPU that nvidia-smi's table lists no more.
    public static final String UNLISTED = "nvidia-smi's table";

    /// The flag of what DCGM's health watch says of a machine's GPUs.
    public static final String HEALTH = "DCGM's health watch";
  }

  /// A line of nvidia-smi's table, or of the report of `dcgmi health -c`. What they say together is
  /// told by the reader, as a flag.
  ///
  /// @param where what stands in front of the table in each of its lines: of several hosts which
  ///     one
  /// @param words of a GPU its bus id as NCCL writes it, of what DCGM watches how it is
  record Tabled(String where, Part part, int number, String words) implements FailureEvent {
    /// What the line is.
    public enum Part {
      /// `|   6  NVIDIA H100 80GB HBM3   On  |   00000000:D1:00.0 Off |      0 |`.
      GPU,
      /// The rule below a GPU, `+------+------+------+`.
      RULE,
      /// `| Processes:   |`: all GPUs are listed.
      LISTED,
      /// `| Overall Health            | Failure     |`: DCGM's report begins.
      HEALTH,
      /// `| GPU                       |             |`: of what kind the next ones are.
      KIND,
      /// `| -> 3                      | Failure     |`: which of them.
      ENTITY,
      /// `|       -> Memory system    | Failure     |`: what of it.
      SYSTEM
    }
  }

  /// The kernel starts: what it said before is of the boot before.
  record Booted() implements FailureEvent {}
}
