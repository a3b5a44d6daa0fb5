package io.ringside.streams.parse.event;

import io.ringside.schemas.event.FailureClass;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What programs, launchers, schedulers and kernels report when a process fails. Only later lines
/// show whether the job died of it: a traceback may have been caught, and when eight processes end,
/// seven of them follow the first.
public sealed interface FailureEvent extends LineEvent {
  /// Rank that the line's prefix names, or -1.
  default int rank() {
    return -1;
  }

  /// `Traceback (most recent call last):`.
  ///
  /// @param ignored whether Python says that the program continues: `Exception ignored in …`,
  ///   `--- Logging error ---`
  /// @param thread whether Python says that only a thread ends: `Exception in thread …`
  record TracebackBegun(int rank, boolean ignored, boolean thread) implements FailureEvent {}

  /// `  File "/workspace/train.py", line 714, in train`.
  record Frame(int rank, String file, int line, String function) implements FailureEvent {}

  /// The next exception follows from the one before.
  record Chained(int rank) implements FailureEvent {}

  /// The last line of a traceback: `torch.OutOfMemoryError: CUDA out of memory. …`,
  /// `KeyboardInterrupt`.
  ///
  /// @param type exception type with its module, as printed
  /// @param message may be empty
  /// @param frame the innermost frame of the user's own code, null if no earlier line names one
  /// @param chain how the exception relates to the lines before it
  record Raised(int rank, String type, String message, @Nullable String frame, Chain chain)
      implements FailureEvent {}

  /// How the line of an exception relates to the lines before it.
  enum Chain {
    /// No traceback precedes it: it may be a message that quotes an exception.
    LOOSE,
    /// A program's logger reports it: the exception was caught. If the program ends all the same,
    /// it is the reason.
    LOGGED,
    TRACED,
    /// Its traceback is of a thread other than the main one, which continues without that thread.
    THREAD,
    /// Its traceback says that it follows from the previous exception.
    FOLLOWS,
    /// Its traceback begins with the first line of a program: nothing caught it.
    MAIN
  }

  /// A sentence that names what went wrong.
  ///
  /// @param words the sentence, shortened
  record Said(int rank, FailureClass failureClass, String words) implements FailureEvent {
    /// Whether the sentence is about one part of the program, which may be retried or left out: a
    /// job of Hydra, a worker of Ray.
    public boolean ofAPart() {
      return PARTS.stream().anyMatch(words::startsWith);
    }

    /// Whether an interpreter did not find a script, which may be a helper of the job.
    public boolean ofAScript() {
      return SCRIPTS.stream().anyMatch(words::startsWith);
    }

    /// Whether a shell reports that a training process was killed, or Ray that the node of one was
    /// lost.
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

    /// Commands with which a script starts training, unlike servers and helpers.
    private static final Pattern TRAINS =
        Pattern.compile(
            "\\b(?:torchrun|deepspeed|accelerate launch|horovodrun|mpirun|mpiexec|srun) "
                + "|\\bpython[\\d.]* .*(?:train|tune)");

    /// How the words begin for a row of nvidia-smi's table that nvidia-smi could not fill in.
    public static final String ROW = "nvidia-smi |";

    /// How the words begin for the output of a program that had called nvidia-smi.
    public static final String ASKED = "nvidia-smi, asked by a program: ";

    /// Whether it is about a GPU: the driver repeats such an error many times, as in a kernel's
    /// log.
    public boolean ofAGpu() {
      return failureClass == FailureClass.GPU_ERROR;
    }

    private static final List<String> PARTS =
        List.of(
            "Error executing job",
            "A worker died",
            "The actor is dead",
            "The actor died",
            "Task was killed due to the node");

    private static final List<String> SCRIPTS =
        List.of(
            "can't open file '", "can't find '__main__' module", "No module named", "FATAL:   ");
  }

  /// A launcher saw a process end.
  ///
  /// @param code exit code; negative is a signal
  /// @param localRank rank on its host, or -1
  /// @param pid process id, or -1
  /// @param host host name, or empty
  /// @param rootCause whether the launcher itself calls this failure the first
  /// @param toldAt when the process ended according to the launcher, `2026-11-20_22:45:52` by its
  ///   own clock and zone; empty where the launcher gives no time. Compare it only with other
  ///   values of this kind
  record Exited(
      int rank, int localRank, int code, int pid, String host, boolean rootCause, String toldAt)
      implements FailureEvent {

    /// An exit for which the launcher gives no time.
    public Exited(int rank, int localRank, int code, int pid, String host, boolean rootCause) {
      this(rank, localRank, code, pid, host, rootCause, "");
    }

    /// Whether torchrun reports one of its own workers: it may restart all of them.
    public boolean ofAWorker() {
      return localRank >= 0 && pid >= 0;
    }

    @SuppressWarnings("ConstantValue") // an earlier version stored no time
    public Exited {
      toldAt = toldAt == null ? "" : toldAt;
    }
  }

  /// The program survived an exception: so many other lines followed that it must have caught the
  /// exception. The reader creates this event; no line states it.
  ///
  /// @param offset offset of the exception's line; earlier exceptions were caught as well
  record WentOn(long offset) implements FailureEvent {}

  /// A scheduler or a person ended the job.
  record Cancelled(FailureClass failureClass, String words) implements FailureEvent {}

  /// Kubernetes or AWS reports what it did to a pod or a job, or how the pod or job ended.
  ///
  /// @param object such as `pod/llama-0` or `job/llama`; `aws/llama` with the job's name at AWS
  /// @param end whether it describes a current state; an event may be about a pod that has run
  ///   again since
  /// @param ofOwn whether it was saved together with the job's own log and names no pod
  /// @param before whether it is about a container that another one has replaced since
  record Reported(
      String object,
      FailureClass failureClass,
      String words,
      boolean end,
      boolean ofOwn,
      boolean before)
      implements FailureEvent {

    /// A report that names its object and is either a state or an event.
    public Reported(String object, FailureClass failureClass, String words, boolean end) {
      this(object, failureClass, words, end, false, false);
    }
  }

  /// `    Last State:     Terminated` of `kubectl describe pod`. Several such lines are combined
  /// before they are reported.
  record Described(String field, String value) implements FailureEvent {}

  /// A GPU's driver reports an error: `NVRM: Xid (PCI:0000:9b:00): 119, pid=…, …`.
  ///
  /// @param busId PCI bus id as the driver writes it, or the UUID of the GPU where NVIDIA's device
  ///   plugin for Kubernetes reports the error
  record Xid(int code, String busId, String words) implements FailureEvent {
    /// Whether this is the UUID of a GPU. No line of a job names a GPU by its UUID.
    public static boolean isUuid(String busId) {
      return busId.startsWith("GPU-") || busId.startsWith("MIG-");
    }
  }

  /// A switch between GPUs reports an error:
  /// `nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 20034, Fatal, Link 28 …`.
  ///
  /// @param busId PCI bus id of the switch
  /// @param fatal whether the driver calls it fatal: the jobs on the switch end, and the switch
  ///   must be reset
  record SwitchXid(int code, String busId, boolean fatal, String words) implements FailureEvent {}

  /// The driver reports on NVLink, the fabric, or a GPU that fell off the bus; or libfabric reports
  /// a failed operation. On its own it does not prove that a job ended; beside an Xid it adds
  /// detail.
  record DriverNotice(String words) implements FailureEvent {
    /// Whether libibverbs reports that it has no library for a card that is present. Then no
    /// program that uses verbs sees the card.
    public boolean ofVerbs() {
      return words.startsWith("libibverbs: ");
    }

    /// Whether PyTorch reports that it has not reached the store where ranks meet, and tries again.
    public boolean ofStore() {
      return words.startsWith("TCP client failed to connect/validate to host ");
    }

    /// Whether it is about a start. It does not show how the start ends.
    public boolean ofAStart() {
      return ofVerbs() || ofStore();
    }
  }

  /// A network card's driver says that a port lost its link:
  /// `mlx5_core 0000:53:00.0 enp83s0f0np0: Link down`. A single one may be somebody setting the
  /// port up.
  ///
  /// @param device PCI address of the card, as the driver writes it
  /// @param port `enp83s0f0np0`
  record LinkDown(String device, String port) implements FailureEvent {}

  /// The section of a GPU in `nvidia-smi -q` begins: the lines after it are about this GPU.
  ///
  /// @param busId in NCCL's form, `0000:9b:00.0`
  record GpuListed(String busId) implements FailureEvent {}

  /// `Remapping Failure Occurred : Yes` of `nvidia-smi -q`.
  ///
  /// @param busId empty where the text does not contain the GPU's heading
  /// @param value empty where the flag is off
  record GpuFlag(String busId, String flag, String value) implements FailureEvent {
    /// Flag of a GPU that nvidia-smi's table no longer lists.
    public static final String UNLISTED = "nvidia-smi's table";

    /// Flag for what DCGM's health watch reports on the GPUs of a machine.
    public static final String HEALTH = "DCGM's health watch";
  }

  /// A line of nvidia-smi's table, or of the report of `dcgmi health -c`. The reader combines the
  /// lines and reports the result as a flag.
  ///
  /// @param where the text in front of the table in each of its lines, which tells several hosts
  ///   apart
  /// @param words for a GPU its bus id in NCCL's form; for a part that DCGM watches, its health
  record Tabled(String where, Part part, int number, String words) implements FailureEvent {
    /// What the line is.
    public enum Part {
      /// `|   6  NVIDIA H100 80GB HBM3   On  |   00000000:D1:00.0 Off |      0 |`.
      GPU,
      /// The rule below a GPU, `+------+------+------+`.
      RULE,
      /// `| Processes:   |`: the list of GPUs has ended.
      LISTED,
      /// `| Overall Health            | Failure     |`: DCGM's report begins.
      HEALTH,
      /// `| GPU                       |             |`: the kind of the next entities.
      KIND,
      /// `| -> 3                      | Failure     |`: an entity of that kind.
      ENTITY,
      /// `|       -> Memory system    | Failure     |`: a part of that entity.
      SYSTEM
    }
  }

  /// The kernel starts: its earlier lines are from the boot before.
  record Booted() implements FailureEvent {}
}
