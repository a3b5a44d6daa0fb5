package io.ringside.streams.parse.failure;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import io.ringside.streams.parse.torch.WatchdogLines;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Tracebacks of Python, last words of C++ and of the kernel, and what a program says when it is asked to stop.
public final class FailureLines {
  private static final int LONGEST_WORDS = 240;

  private FailureLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of("Traceback (most recent call last):*", "Python", line -> begun(line, false)),
          Shape.of("Exception ignored in*", "Python", line -> begun(line, true)),
          Shape.of("Error in atexit._run_exitfuncs:*", "Python", line -> begun(line, true)),
          Shape.of("--- Logging error ---", "Python", line -> begun(line, true)),
          Shape.of("File \"*\", line #*", "Python", FailureLines::frame),
          Shape.of(
              "During handling of the above exception, another exception occurred:",
              "Python",
              FailureLines::chained),
          Shape.of(
              "The above exception was the direct cause of the following exception:",
              "Python",
              FailureLines::chained),
          Shape.of(
              "Traceback of TorchScript*(most recent call last):*",
              "PyTorch, behind what says only that an operation failed",
              FailureLines::chained),
          Shape.of("what(): *", "C++", FailureLines::what),
          saying(FailureClass.SEGFAULT, "Fatal Python error: Segmentation fault*", "Python"),
          saying(FailureClass.UNKNOWN, "Fatal Python error: *", "Python"),
          saying(FailureClass.SEGFAULT, "Segmentation fault*", "shells"),
          Shape.of("Signal: Segmentation fault (#)*", "Open MPI", FailureLines::segfault),
          Shape.of("Caught signal # (Segmentation fault*", "UCX", FailureLines::segfault),
          Shape.of("ib_mlx5_log.c:#*", "UCX", FailureLines::unanswered),
          Shape.of(
              "FatalError: *is detected by the operating system*", "Paddle", FailureLines::paddle),
          saying(FailureClass.NCCL, "OP_REQUIRES failed at nccl_*: *", "TensorFlow"),
          Shape.of(
              "BaseCollectiveExecutor::StartAbort *",
              "TensorFlow",
              FailureLines::collectiveAborted),
          saying(FailureClass.GPU_OUT_OF_MEMORY, "EL0004: *Failed to allocate memory*", "CANN"),
          saying(FailureClass.NCCL, "EE1002: *tream sync*time*", "CANN"),
          Shape.of("EI#: *", "HCCL", FailureLines::hccl),
          Shape.of("EJ#: *", "HCCL", FailureLines::hccl),
          Shape.of("DEVICE(*Ascend Error Message:*", "MindSpore", FailureLines::mindSpore),
          Shape.of("[PID: #] #-#-#-#:#:#*", "HCCL of CANN 8", FailureLines::hccl),
          Shape.of("#-#-#-#:#:#*(E*", "the same behind its pid", FailureLines::hccl),
          Shape.of("Killed", "shells", FailureLines::killed),
          Shape.of("line #: # *", "bash", FailureLines::childOfShell),
          Shape.of("Out of memory: Killed process # *", "Linux", FailureLines::hostMemory),
          Shape.of(
              "Memory cgroup out of memory: Killed process # *", "Linux", FailureLines::hostMemory),
          diskFull("tee", "coreutils"),
          diskFull("mkdir", "coreutils"),
          diskFull("cp", "coreutils"),
          diskFull("mv", "coreutils"),
          diskFull("touch", "coreutils"),
          diskFull("tar", "tar"),
          diskFull("rsync", "rsync"),
          Shape.of("OOMKilled*", "Kubernetes", FailureLines::hostMemory),
          saying(
              FailureClass.CONFIGURATION,
              "FI_EFA_USE_DEVICE_RDMA=# was set by user, but EFA device has no rdma-read*",
              "libfabric"),
          Shape.of(
              "libfabric:*:efa:cq:efa_rdm_txe_handle_error():#<warn> err: #*",
              "libfabric 1.19+",
              FailureLines::aside),
          Shape.of(
              "libfabric:*:efa:cq:efa_rdm_rxe_handle_error():#<warn> err: #*",
              "libfabric 1.19+",
              FailureLines::aside),
          Shape.of(
              "NET/OFI Request * completed with error*", "aws-ofi-nccl", FailureLines::network),
          Shape.of("pt_main_thread[#]: segfault at *", "Linux", FailureLines::crashInNccl),
          Shape.of("python[#]: segfault at *", "Linux", FailureLines::crashInNccl),
          Shape.of("python3[#]: segfault at *", "Linux", FailureLines::crashInNccl),
          Shape.of("python3.#[#]: segfault at *", "Linux", FailureLines::crashInNccl),
          Shape.of(
              "WARN: Function: * Line: #: NET/OFI *",
              "aws-ofi-nccl's own tests",
              FailureLines::pluginTest),
          Shape.of(
              "socketProgress: Connection closed by remote peer*", "NCCL", FailureLines::network),
          Shape.of("socketStartConnect: Connect to * failed*", "NCCL", FailureLines::network),
          Shape.of("socketPollConnect: Connect to * failed*", "NCCL", FailureLines::network),
          saying(FailureClass.NCCL, "Failed to create NCCL communicator: *", "XLA"),
          Shape.of("INTERNAL: *NCCL operation *", "XLA", FailureLines::xla),
          Shape.of("Execution of replica # failed: *NCCL operation *", "XLA", FailureLines::xla),
          saying(
              FailureClass.OUT_OF_MEMORY,
              "ERROR: Unexpected bus error encountered in worker.*",
              "PyTorch's DataLoader"),
          saying(
              FailureClass.SEGFAULT,
              "ERROR: Unexpected segmentation fault encountered in worker.*",
              "PyTorch's DataLoader"),
          saying(FailureClass.CONFIGURATION, "ncclSocketInit: connecting to address *", "NCCL"),
          saying(FailureClass.NCCL, "Test NCCL failure *:# *", "nccl-tests"),
          Shape.of("Test CUDA failure *:#*", "nccl-tests", FailureLines::cudaError),
          Shape.of("Failed: Cuda error *:# *", "NCCL's examples", FailureLines::cudaError),
          Shape.of("Failed, Cuda error *:# *", "NCCL's examples", FailureLines::cudaError),
          Shape.of("Failed: CUDA error *:# *", "programs", FailureLines::cudaError),
          Shape.of("Cuda failure # 'out of memory'*", "NCCL, by PyTorch", FailureLines::gpuMemory),
          Shape.of("Cuda failure 'out of memory'*", "NCCL, by PyTorch", FailureLines::gpuMemory),
          Shape.of("CUDA Error: * at *:#", "vLLM's allocator", FailureLines::allocator),
          saying(FailureClass.UNKNOWN, "WorkerProc failed to start*", "vLLM"),
          Shape.of(
              "Exception in worker VllmWorkerProcess while processing method *: *",
              "vLLM to 0.7",
              FailureLines::method),
          saying(FailureClass.UNKNOWN, "Error executing job with overrides: *", "Hydra"),
          Shape.of(
              "A worker died or was killed while executing a task by an unexpected system error.*",
              "Ray",
              FailureLines::actor),
          Shape.of("Worker proc VllmWorker-# died unexpectedly*", "vLLM", FailureLines::worker),
          saying(FailureClass.UNKNOWN, "EngineCore encountered a fatal error*", "vLLM"),
          saying(FailureClass.UNKNOWN, "EngineCore failed to start*", "vLLM"),
          Shape.of(
              "Scheduler hit an exception: Traceback (most recent call last):*",
              "SGLang",
              line -> begun(line, false)),
          saying(FailureClass.UNKNOWN, "Received sigquit from a child proces*", "SGLang"),
          saying(FailureClass.UNKNOWN, "SIGQUIT received. signum=*", "SGLang"),
          Shape.of(".. * pid #: Test failure *", "nccl-tests", FailureLines::testFailed),
          Shape.of("Failed, NCCL error *:# *", "NCCL's examples", FailureLines::ncclError),
          Shape.of("Failed: NCCL error *:# *", "NCCL's examples", FailureLines::ncclError),
          Shape.of("NCCL error *:#: *", "programs", FailureLines::ncclError),
          saying(FailureClass.GPU_ERROR, "HW Exception by GPU node-# (*", "ROCm"),
          saying(FailureClass.EXCEPTION, "Memory access fault by GPU node-# (*", "ROCm"),
          saying(
              FailureClass.GPU_ERROR, "Unable to determine the device handle for *", "nvidia-smi"),
          Shape.of("| *ERR!*", "nvidia-smi", FailureLines::unreadable),
          saying(
              FailureClass.EXCEPTION,
              "[AITER] *:# fail to call *[HIP error](*",
              "AITER, which ends the process with 0"),
          Shape.of("NVRM: *", "driver", FailureLines::broken),
          Shape.of("amdgpu *", "amdgpu", FailureLines::broken),
          Shape.of(
              "[[Health]] Detected a WARNING in health system Thermal: *",
              "DCGM",
              FailureLines::aside),
          Shape.of(
              "Detected clock* due to thermal violation in GPU #*", "DCGM", FailureLines::aside),
          Shape.of(
              "TCP client failed to connect/validate to host * - retrying (*",
              "torch 2.3+",
              FailureLines::unreached),
          Shape.of("Fail - GPU*", "dcgmi diag", FailureLines::diagnosed),
          Shape.of("| * | Fail - GPU*", "dcgmi diag", FailureLines::diagnosed),
          Shape.of("GPU # Thermal violations totaling *", "dcgmi diag", FailureLines::aside),
          Shape.of("Thermal violations totaling *", "dcgmi diag", FailureLines::aside),
          Shape.of("There were thermal violations totaling *", "dcgmi diag", FailureLines::aside),
          Shape.of(
              "libibverbs: Warning: Driver * does not support the kernel ABI of #*",
              "rdma-core",
              FailureLines::aside),
          Shape.of(
              "libibverbs: Warning: no userspace device-specific driver found for *",
              "libibverbs 1.1 to rdma-core",
              FailureLines::aside),
          saying(
              FailureClass.GPU_ERROR,
              "has fallen off the bus and is not responding to commands*",
              "driver"),
          saying(FailureClass.NODE_LOST, "The node with node id: *marked dead*", "Ray"),
          saying(
              FailureClass.OUT_OF_MEMORY,
              "node_manager.cc:#: # Workers (tasks / actors) killed due to memory pressure (OOM)*",
              "Ray"),
          saying(
              FailureClass.OUT_OF_MEMORY,
              "The actor is dead because its worker process has died. Worker exit type: NODE_OUT_OF_MEMORY*",
              "Ray"),
          saying(
              FailureClass.UNKNOWN,
              "The actor is dead because its worker process has died. Worker exit type: SYSTEM_ERROR*",
              "Ray"),
          saying(
              FailureClass.UNKNOWN,
              "Terminating process because the JAX distributed service detected fatal errors*",
              "JAX"),
          saying(
              FailureClass.NODE_LOST,
              "UNAVAILABLE: The following tasks are unhealthy (stopped sending heartbeats):*",
              "JAX's coordination service"),
          saying(
              FailureClass.NODE_LOST,
              "/job:*/task:# has been set to ERROR in coordination service: UNAVAILABLE: Task *heartbeat timeout*",
              "JAX's coordination service"),
          saying(
              FailureClass.NODE_LOST,
              "UNAVAILABLE: Task /job:*/task:# heartbeat timeout. This indicates that the remote task has failed*",
              "JAX's coordination service"),
          saying(FailureClass.NCCL, "Aborting communicator: * due to async NCCL error: *", "XLA"),
          saying(FailureClass.NODE_LOST, "The actor is dead because its node has *", "Ray"),
          saying(FailureClass.NODE_LOST, "The actor died because its node has died*", "Ray"),
          Shape.of("The actor is dead because its owner has died*", "Ray", FailureLines::ownerDied),
          Shape.of("the actor's node was preempted*", "Ray", FailureLines::asked),
          Shape.of("Rank # crashed with exit code *", "Composer", FailureLines::crashed),
          Shape.of("Global rank # (PID #) exited with code *", "Composer", FailureLines::crashed),
          Shape.of(
              "Child process with PID # terminated with code #*", "Lightning", FailureLines::child),
          Shape.of(
              "Detected KeyboardInterrupt, attempting graceful shutdown*",
              "Lightning",
              FailureLines::asked),
          Shape.of(
              "Main process received SIG*, exiting*", "DeepSpeed's launcher", FailureLines::asked),
          saying(FailureClass.UNKNOWN, "Killing subprocess #*", "DeepSpeed's launcher"),
          saying(
              FailureClass.GPU_OUT_OF_MEMORY,
              "CUDA out of memory. Tried to allocate *",
              "torch, torn out of its traceback"),
          Shape.of("Received SIGTERM*", "Lightning, Megatron", FailureLines::asked),
          Shape.of("Caught signal SIGTERM*", "all", FailureLines::asked),
          Shape.of("NVRM: Xid (PCI:*): #*", "driver", FailureLines::driver),
          saying(
              FailureClass.GPU_ERROR,
              "NVRM: nvAssertOkFailedNoLog: Assertion failed: Reset required *",
              "driver"),
          Shape.of("nvidia-nvswitch#: SXid (PCI:*): #*", "driver", FailureLines::driver),
          Shape.of("mlx5_core *: Link down", "mlx5_core", FailureLines::linkDown),
          Shape.of("mlx5_core *: Port: # Link DOWN", "mlx5_ib, InfiniBand", FailureLines::linkDown),
          Shape.of("bnxt_en *: NIC Link is Down", "bnxt_en", FailureLines::linkDown),
          Shape.of("ice *: NIC Link is Down", "ice", FailureLines::linkDown),
          Shape.of("ib#: lost carrier", "systemd-networkd", FailureLines::carrier),
          Shape.of("ib#: Lost carrier", "systemd-networkd", FailureLines::carrier),
          Shape.of("Linux version #.*", "Linux", FailureLines::booted),
          Shape.of("-- Boot * --", "journalctl", FailureLines::booted),
          Shape.of("-- Reboot --", "journalctl", FailureLines::booted),
          Shape.of("Node condition * is now: True*", "health agents", FailureLines::driver));

  private static Shape<TextLine> diskFull(String program, String of) {
    return saying(FailureClass.DISK_FULL, program + ": *: No space left on device*", of);
  }

  /// A line that says by itself what went wrong.
  private static Shape<TextLine> saying(FailureClass failureClass, String text, String of) {
    return Shape.of(text, of, line -> said(line, failureClass));
  }

  private static boolean begun(TextLine line, boolean ignored) {
    return line.emit(new FailureEvent.TracebackBegun(line.rank(), ignored));
  }

  private static boolean chained(TextLine line) {
    return line.emit(new FailureEvent.Chained(line.rank()));
  }

  private static boolean frame(TextLine line) {
    var file = line.expect("File \"").until('"');
    var number = line.expect("\", line ").integer();
    var function = line.good() && line.skip(", in ") ? line.rest().strip() : "";
    return line.good() && line.emit(new FailureEvent.Frame(line.rank(), file, number, function));
  }

  /// `  what():  CUDA error: uncorrectable ECC error encountered`, after `terminate called …`.
  private static boolean what(TextLine line) {
    line.expect("what():");
    var from = line.at();
    var words = shortened(line.rest().strip());
    if (words.isEmpty()) {
      return false;
    }
    line.emit(
        new FailureEvent.Raised(
            line.rank(), "terminate called", words, null, FailureEvent.Chain.TRACED));
    WatchdogLines.quoted(line, from);
    return true;
  }

  /// `Failed: Cuda error example.cu:107 'invalid device ordinal'`.
  private static boolean cudaError(TextLine line) {
    var words = line.ahead();
    return said(
        line,
        words.contains("'out of memory'")
            ? FailureClass.GPU_OUT_OF_MEMORY
            : SETUP.stream().anyMatch(words::contains)
                ? FailureClass.CONFIGURATION
                : FailureClass.EXCEPTION);
  }

  /// `CUDA Error: out of memory at /workspace/csrc/cumem_allocator.cpp:62`, which its allocator prints before it raises.
  private static boolean allocator(TextLine line) {
    var words = line.ahead();
    return said(
        line,
        words.contains("out of memory") ? FailureClass.GPU_OUT_OF_MEMORY : FailureClass.EXCEPTION);
  }

  /// `INTERNAL: external/xla/xla/service/gpu/nccl_utils.cc:305: NCCL operation ncclCommInitRank(&comm, nranks, id, rank) failed:
  /// unhandled cuda error (…). Last NCCL warning(error) log entry (may be unrelated) 'Cuda failure 'out of memory''` (XLA's
  /// nccl_api.cc, nccl_errors.h; later without the file).
  private static boolean xla(TextLine line) {
    line.seek("NCCL operation ");
    if (line.bad()) {
      return false;
    }
    var words = "NCCL operation " + line.rest();
    var failureClass =
        words.contains("unhandled cuda error") && words.contains("'out of memory'")
            ? FailureClass.GPU_OUT_OF_MEMORY
            : FailureClass.NCCL;
    return words.contains(" failed: ")
        && line.emit(new FailureEvent.Said(line.rank(), failureClass, shortened(words)));
  }

  /// `Exception in worker VllmWorkerProcess while processing method init_device: NCCL error: unhandled system error (…), Traceback
  /// (most recent call last):` (vllm/executor/multiproc_worker_utils.py): the traceback begins on the same line.
  private static boolean method(TextLine line) {
    line.seek(" while processing method ").seek(": ");
    var words = line.good() ? line.rest().strip() : "";
    if (words.isEmpty()) {
      return false;
    }
    int traceback = words.indexOf(", Traceback (most recent call last)");
    words = shortened(traceback < 0 ? words : words.substring(0, traceback));
    var failureClass =
        words.contains("NCCL error")
            ? FailureClass.NCCL
            : words.contains("out of memory")
                ? FailureClass.GPU_OUT_OF_MEMORY
                : FailureClass.EXCEPTION;
    return line.emit(new FailureEvent.Said(line.rank(), failureClass, words));
  }

  /// What Ray says of a worker that ended while it had work. An actor's is the task that created it, whose id begins with eight bytes
  /// of 255 (src/ray/common/id.cc, `TaskID::ForActorCreationTask`); other tasks are tried again.
  private static boolean actor(TextLine line) {
    int from = line.at();
    boolean actor = line.find("RayTask ID: ffffffffffffffff");
    line.back(from);
    return actor && said(line, FailureClass.UNKNOWN);
  }

  /// CUDA's words for a machine or a launcher that is set up wrongly (driver_types.h).
  private static final List<String> SETUP =
      List.of(
          "invalid device ordinal",
          "system not yet initialized",
          "no CUDA-capable device is detected",
          "CUDA driver version is insufficient");

  private static boolean gpuMemory(TextLine line) {
    return said(line, FailureClass.GPU_OUT_OF_MEMORY);
  }

  /// `WARN: Function: ofi_process_cq Line: 1033: NET/OFI Request completed with error`: the plugin's words, by the logger of its tests.
  private static boolean pluginTest(TextLine line) {
    int from = line.at();
    var message = line.seek("NET/OFI ").rest();
    line.emit(new NcclEvent.Warning("NET/OFI " + message));
    line.back(from);
    return said(line, FailureClass.NCCL);
  }

  private static boolean ncclError(TextLine line) {
    return said(line, FailureClass.NCCL);
  }

  /// ` .. worker-0 pid 10366: Test failure common.cu:1000`: the program ends, one line a caller.
  private static boolean testFailed(TextLine line) {
    var host = line.expect(".. ").until(' ');
    var pid = line.expect(" pid ").integer();
    line.expect(": Test failure");
    return line.good() && line.emit(new FailureEvent.Exited(line.rank(), -1, 1, pid, host, false));
  }

  /// A row of nvidia-smi's table: `| N/A   29C    P0   ERR! / 250W |    593MiB / 16160MiB |      0%      Default |`.
  private static boolean unreadable(TextLine line) {
    var words = line.rest().replaceAll("\\s+", " ");
    return words.contains("MiB")
        && line.emit(
            new FailureEvent.Said(-1, FailureClass.GPU_ERROR, "nvidia-smi " + shortened(words)));
  }

  private static boolean segfault(TextLine line) {
    return said(line, FailureClass.SEGFAULT);
  }

  /// `pt_main_thread[2536]: segfault at 7f79 ip … error 4 in libnccl.so.2[7f7c7ac00000+d3d3000]`: of all that crashes on a node only a
  /// process that uses NCCL is a job's.
  private static boolean crashInNccl(TextLine line) {
    int from = line.at();
    boolean ofNccl = line.find(" in libnccl");
    line.back(from);
    return ofNccl && said(line, FailureClass.SEGFAULT);
  }

  /// What a shell prints of a child that was killed: the word alone.
  private static boolean killed(TextLine line) {
    return line.end() - line.at() == "Killed".length() && said(line, FailureClass.KILLED);
  }

  /// What bash says of the program that a script waits for: `line 44: 367038 Hangup                  torchrun …`.
  private static boolean childOfShell(TextLine line) {
    line.expect("line ").integer();
    line.expect(": ").integer();
    var words = line.good() ? line.blanks().rest().replaceAll("\\s+", " ") : "";
    if (LAUNCHERS.stream().noneMatch(words::contains)) {
      return false;
    }
    if (words.startsWith("Killed")) {
      return line.emit(new FailureEvent.Said(line.rank(), FailureClass.KILLED, shortened(words)));
    }
    if (words.startsWith("Segmentation fault") || words.startsWith("Bus error")) {
      return line.emit(new FailureEvent.Said(line.rank(), FailureClass.SEGFAULT, shortened(words)));
    }
    if (words.startsWith("Aborted")) {
      return line.emit(new FailureEvent.Said(line.rank(), FailureClass.UNKNOWN, shortened(words)));
    }
    return (words.startsWith("Hangup") || words.startsWith("Terminated"))
        && line.emit(new FailureEvent.Cancelled(FailureClass.STOPPED, shortened(words)));
  }

  /// What starts a training job; other children of a script may come and go.
  private static final List<String> LAUNCHERS =
      List.of(
          "python",
          "torchrun",
          "uvicorn",
          "deepspeed",
          "accelerate",
          "mpirun",
          "mpiexec",
          "srun",
          "horovodrun");

  /// `The actor is dead because its owner has died. Owner Id: … Worker exit detail: Owner's node has crashed.`
  private static boolean ownerDied(TextLine line) {
    var words = line.rest();
    return line.emit(
        new FailureEvent.Said(
            line.rank(),
            words.contains("node has crashed") ? FailureClass.NODE_LOST : FailureClass.UNKNOWN,
            shortened(words)));
  }

  /// What else runs on a node and is killed without harm to a job: `Killed process 8123 (fluent-bit) total-vm:…`.
  private static final Set<String> SERVICES =
      Set.of(
          "alloy",
          "aws-node",
          "bash",
          "beat",
          "calico",
          "cilium",
          "containerd",
          "dcgm",
          "dockerd",
          "exporter",
          "fluent",
          "kube",
          "otel",
          "prometheus",
          "promtail",
          "ringside",
          "sh",
          "sshd",
          "systemd",
          "telegraf",
          "vector");

  private static boolean ofAService(String words) {
    int from = words.indexOf(" (");
    int to = words.indexOf(')', from);
    return from >= 0 && to >= 0 && isService(words.substring(from + 2, to));
  }

  /// Whether a process or a pod is one of those, by its name.
  static boolean isService(String process) {
    var name = process.toLowerCase(Locale.ROOT);
    return SERVICES.stream()
        .anyMatch(service -> service.length() < 5 ? name.equals(service) : name.contains(service));
  }

  private static boolean hostMemory(TextLine line) {
    var words = line.ahead();
    return !ofAService(words) && said(line, FailureClass.OUT_OF_MEMORY);
  }

  /// `ib_mlx5_log.c:171  Transport retry count exceeded on mlx5_0:1/IB (synd 0x15 …)` (src/uct/ib/mlx5): the peer's card did not answer.
  private static boolean unanswered(TextLine line) {
    return line.ahead().contains("retry count exceeded") && said(line, FailureClass.NETWORK);
  }

  private static final Pattern HCCL_CODE =
      Pattern.compile("^E[IJ]\\d{4}(?=: )|(?<=\\()E[IJ]\\d{4}(?=\\): )");

  /// Huawei's word on HCCL's error codes (CANN, HCCL error codes): what a rank says of others is no fault of its own.
  private static final Map<String, FailureClass> HCCL =
      Map.of(
          "EI0001", FailureClass.CONFIGURATION, // an environment variable
          "EI0002", FailureClass.NCCL, // no notification came from another rank in time
          "EI0004", FailureClass.CONFIGURATION, // the table of ranks
          "EI0006", FailureClass.NETWORK, // another rank's socket did not come in time
          "EI0015", FailureClass.NETWORK, // not all ranks reached the root
          "EI0020", FailureClass.CONFIGURATION, // a port that is in use
          "EJ0001", FailureClass.CONFIGURATION, // processes of the last job are left
          "EJ0003", FailureClass.CONFIGURATION); // a port that is in use

  /// `EI0006: 2024-08-05-18:15:21.270.506 Getting socket times out. Reason: …`, or since CANN 8 `[PID: 749]
  /// 2025-12-29-03:16:15.787.356 Get_Socket_Timeout(EI0006): Getting …`.
  private static boolean hccl(TextLine line) {
    var code = HCCL_CODE.matcher(line.ahead());
    var failureClass = code.find() ? HCCL.get(code.group()) : null;
    return failureClass != null && said(line, failureClass);
  }

  /// `[CRITICAL] DEVICE(162844,…,python):… RunGraph] Run task for graph:kernel_graph_1 error! … Ascend Error Message:EI0002: …`.
  private static boolean mindSpore(TextLine line) {
    line.seek("Ascend Error Message:");
    return hccl(line);
  }

  /// ``FatalError: `Segmentation fault` is detected by the operating system.``, to Paddle 2.0 `A serious error (Segmentation fault)`
  /// (paddle/fluid/platform/init.cc, `SignalHandle`): it catches signals of all that it is loaded beside.
  private static boolean paddle(TextLine line) {
    var words = line.ahead();
    if (words.contains("Termination signal")) {
      return asked(line);
    }
    return said(
        line, words.contains("Segmentation fault") ? FailureClass.SEGFAULT : FailureClass.UNKNOWN);
  }

  /// `BaseCollectiveExecutor::StartAbort Internal: unhandled system error`
  /// (tensorflow/core/common_runtime/base_collective_executor.cc): the end of a data set is told by the same words.
  private static boolean collectiveAborted(TextLine line) {
    var words = line.ahead();
    return (words.contains("unhandled system error")
            || words.contains("unhandled cuda error")
            || words.contains("NCCL"))
        && said(line, FailureClass.NCCL);
  }

  /// `Worker proc VllmWorker-2 died unexpectedly, shutting down executor.`
  private static boolean worker(TextLine line) {
    int from = line.at();
    var rank = line.expect("Worker proc VllmWorker-").integer();
    boolean named = line.good();
    line.back(from);
    return named
        && line.emit(new FailureEvent.Said(rank, FailureClass.UNKNOWN, shortened(line.rest())));
  }

  /// The line behind `Last error:` in PyTorch's report of an NCCL error.
  private static boolean network(TextLine line) {
    return said(line, FailureClass.NETWORK);
  }

  /// `Rank 0 crashed with exit code -11.`
  private static boolean crashed(TextLine line) {
    var rank = line.seek("ank ").integer();
    var code = line.seek(" code ").integer();
    return line.good()
        && code != 0
        && line.emit(new FailureEvent.Exited(rank, -1, code, -1, "", true));
  }

  /// `[rank: 4] Child process with PID 320505 terminated with code 1. Forcefully terminating all other processes …`
  private static boolean child(TextLine line) {
    var pid = line.expect("Child process with PID ").integer();
    var code = line.expect(" terminated with code ").integer();
    return line.good()
        && code != 0
        && line.emit(new FailureEvent.Exited(line.rank(), -1, code, pid, "", true));
  }

  /// What drivers say of a GPU that does not work: NVIDIA's of one that is gone or does not start, AMD's of one that does not
  /// start, that it resets or whose memory failed (Linux's drivers/gpu/drm/amd/amdgpu: amdgpu_device.c, amdgpu_ras.c).
  private static final Pattern BROKEN =
      Pattern.compile(
          "fallen off the bus|RmInitAdapter failed!|Fatal error during GPU init|: GPU reset begin!"
              + "|[1-9]\\d{0,9} (?:new )?uncorrectable hardware errors detected"
              + "|: uncorrectable hardware error\\(");

  private static boolean broken(TextLine line) {
    return BROKEN.matcher(line.ahead()).find() && said(line, FailureClass.GPU_ERROR);
  }

  private static boolean aside(TextLine line) {
    return line.emit(new FailureEvent.DriverSaid(shortened(line.rest())));
  }

  /// A row of the table of `dcgmi diag`, `|                           | Fail - GPUs: 0, 3                              |`.
  private static boolean diagnosed(TextLine line) {
    var words = line.rest();
    words = words.substring(Math.max(0, words.lastIndexOf("Fail - GPU")));
    return DIAGNOSED.matcher(words).matches() && line.emit(new FailureEvent.DriverSaid(words));
  }

  private static final Pattern DIAGNOSED =
      Pattern.compile("Fail - GPUs?:? \\d{1,3}(?:, \\d{1,3}){0,63}\\s{0,80}\\|");

  /// `TCP client failed to connect/validate to host 10.0.0.7:29500 - retrying (try=0, timeout=600000ms, delay=33924ms): The client
  /// socket has timed out after 600000ms …`: a store that refuses or resets is there soon.
  private static boolean unreached(TextLine line) {
    return line.ahead().contains("client socket has timed out after ") && aside(line);
  }

  private static boolean asked(TextLine line) {
    return line.emit(new FailureEvent.Cancelled(FailureClass.STOPPED, shortened(line.rest())));
  }

  private static boolean said(TextLine line, FailureClass failureClass) {
    return line.emit(new FailureEvent.Said(line.rank(), failureClass, shortened(line.rest())));
  }

  /// What NVIDIA's driver writes into the kernel's log, also behind the kernel's stamp.
  public static boolean driver(TextLine line) {
    if (line.find("NVRM: Xid (PCI:")) {
      return xid(line);
    }
    return line.find(": SXid (PCI:") && switchXid(line);
  }

  /// `mlx5_core 0000:53:00.0 enp83s0f0np0: Link down`; of a port's RDMA device `mlx5_core 0000:53:00.0 mlx5_3: Port: 1 Link DOWN`.
  private static boolean linkDown(TextLine line) {
    line.until(' ');
    var device = line.expect(" ").until(' ');
    var port = line.expect(" ").until(':');
    return line.good() && line.emit(new FailureEvent.LinkDown(device, port));
  }

  /// `ib6: Lost carrier`: an InfiniBand port, by the interface that IP has on it. Those of Ethernet come and go with containers.
  private static boolean carrier(TextLine line) {
    var port = line.until(':');
    return line.emit(new FailureEvent.LinkDown(port, port));
  }

  private static boolean booted(TextLine line) {
    return line.emit(new FailureEvent.Booted());
  }

  /// `nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 20034, Fatal, Link 28 LTSSM Fault Up`. The lines after it, `…): 20034,
  /// Severity 1 Engine instance …` and `…, Data {…}`, say nothing more.
  private static boolean switchXid(TextLine line) {
    var busId = line.until(')');
    var code = line.expect("): ").integer();
    line.expect(", ");
    boolean fatal = line.skip("Fatal, ");
    return line.good()
        && (fatal || line.skip("Non-fatal, "))
        && line.emit(new FailureEvent.SwitchXid(code, busId, fatal, shortened(line.rest())));
  }

  /// `NVRM: Xid (PCI:0000:9b:00): 119, pid=2024380, name=nvidia-smi, Timeout after 6s …`; of a slice of a GPU
  /// `(PCI:0000:9b:00 GPU-I:05)`.
  private static boolean xid(TextLine line) {
    var slot = line.until(')');
    var busId = slot.indexOf(' ') < 0 ? slot : slot.substring(0, slot.indexOf(' '));
    var code = line.expect("): ").integer();
    var words = line.good() ? shortened(line.rest()) : "";
    return line.good() && line.emit(new FailureEvent.Xid(code, busId, words));
  }

  static String shortened(String words) {
    return words.length() <= LONGEST_WORDS ? words : words.substring(0, LONGEST_WORDS - 1) + "…";
  }
}
