package io.ringside.streams.detect.failure;

import io.ringside.schemas.event.FailureClass;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Rules for the meaning of exceptions and NCCL messages. The first matching rule counts, so more
/// specific rules come first.
final class FailureWords {
  /// NCCL's messages when verbs get no memory for a network card (src/misc/ibvwrap.cc, `ENOMEM`).
  /// The host may still have plenty of memory.
  private static final List<String> VERBS =
      Stream.of(
              "reg_mr",
              "reg_mr_iova2",
              "reg_dmabuf_mr",
              "alloc_pd",
              "create_cq",
              "create_qp",
              "create_comp_channel",
              "open_device")
          .map("Call to ibv_%s failed with error Cannot allocate memory"::formatted)
          .toList();

  /// CUDA's errors of a kernel that the process itself had started.
  private static final List<String> KERNEL_ERRORS =
      List.of(
          "CUDA error: an illegal memory access was encountered",
          "CUDA error: misaligned address",
          "CUDA error: an illegal instruction was encountered",
          "CUDA error: invalid program counter",
          "CUDA error: device-side assert triggered");

  private static final List<Rule> RULES =
      List.of(
          rule(
              FailureClass.GPU_OUT_OF_MEMORY,
              "a GPU has no memory left: smaller batches, or less that is kept",
              "CUDA out of memory",
              "torch.OutOfMemoryError",
              "torch.cuda.OutOfMemoryError",
              "HIP out of memory",
              "CUDA error: out of memory",
              "Cuda failure 'out of memory'",
              "Cuda failure 2 'out of memory'",
              "cudaErrorMemoryAllocation",
              "CUDA_ERROR_OUT_OF_MEMORY",
              "Malloc device memory failed",
              "MXNetError: Memory allocation failed out of memory",
              "cudaMalloc failed: out of memory",
              "cudaMalloc retry failed: out of memory",
              "CUBLAS_STATUS_ALLOC_FAILED",
              "EL0004: ",
              "RayTaskError(OutOfMemoryError)",
              "is less than desired GPU memory utilization",
              "RESOURCE_EXHAUSTED: Out of memory",
              "by allocator GPU_",
              "OutOfMemoryError: Allocation on device",
              "memory::allocation::BadAlloc exception",
              "Out of memory error on GPU",
              "Caught OutOfMemoryError in replica", // DataParallel's replicas are on GPUs
              "cupy.cuda.memory.OutOfMemoryError",
              "RESOURCE_EXHAUSTED: Failed to allocate request",
              "CUDA runtime error in*: out of memory", // TensorRT-LLM
              "CUDA error at:*out of memory", // RAPIDS
              "cudaMalloc error out of memory",
              "hipErrorOutOfMemory",
              "No available memory for the cache blocks",
              "GiB KV cache is needed",
              "tokens that can be stored in KV cache",
              "Please try to increase --mem-fraction-static"),
          rule(
              FailureClass.GPU_ERROR,
              "the GPU reports a hardware fault: drain the node and test it",
              "uncorrectable ECC error",
              "uncorrectable NVLink error",
              "Invalid access of peer GPU memory over nvlink",
              "GPU is lost",
              "GpuIsLost",
              "has fallen off the bus",
              "RmInitAdapter failed",
              "uncorrectable hardware error",
              "device handle for GPU",
              "hardware stack error",
              "CUDA error: unknown error",
              "NVML_ERROR_GPU_IS_LOST"),
          rule(
              FailureClass.EXCEPTION,
              "a program that this one started failed: its own lines before say why",
              "failed with exit code "),
          rule(
              FailureClass.CONFIGURATION,
              "the variable asks for what this card does not have: unset FI_EFA_USE_DEVICE_RDMA",
              "FI_EFA_USE_DEVICE_RDMA"),
          rule(
              FailureClass.NETWORK,
              "EFA reached the peer and got no answer: the security group lacks the rule that lets its members talk to"
                  + " each other, outbound as well",
              "Unresponsive receiver",
              "Error: 4126",
              "handshake failed"),
          rule(
              FailureClass.NETWORK,
              "another rank did not answer: look for one that failed or came late, then at the links between the nodes",
              "Getting socket times out",
              "(EI0015)"),
          rule(
              FailureClass.CONFIGURATION,
              "processes of the job before are left, or hold the port",
              "Maybe the last training process is running",
              "IP address and port have been bound already"),
          rule(
              FailureClass.EXCEPTION,
              "some processes never reached the store: look whether all were started, and at the address they were given",
              "waiting for clients."),
          rule(FailureClass.CONFIGURATION, Interfaces.NOT_SHOWN, Interfaces.NONE_FOUND),
          rule(
              FailureClass.CONFIGURATION,
              "GLOO_SOCKET_IFNAME names an interface that this host does not have",
              "Unable to find address for",
              "Unable to find interface for"),
          rule(
              FailureClass.CONFIGURATION,
              "/dev/shm is full or too small for NCCL: give the container more (docker --shm-size, in Kubernetes an emptyDir"
                  + " with medium Memory mounted there) and remove /dev/shm/nccl-* that ended processes left",
              "shared memory segment /dev/shm/",
              "Call to posix_fallocate failed",
              "Call to fallocate failed"),
          rule(
              FailureClass.CONFIGURATION,
              "/dev/shm is full or too small for what data loaders pass on: give the container more (docker --shm-size, in"
                  + " Kubernetes an emptyDir with medium Memory mounted there), or use fewer workers",
              "unable to write to file </torch_"),
          rule(
              FailureClass.CONFIGURATION,
              "a limit of the machine or the container is reached: look at `ulimit -n` for files, `ulimit -u` and the pod's"
                  + " pids limit for threads",
              "Too many open files",
              "received 0 items of ancdata",
              "can't start new thread"),
          rule(
              FailureClass.CONFIGURATION,
              "who asks is not known or not allowed to: look at tokens, keys, roles and the owner of files",
              "Unable to locate credentials",
              "(AccessDenied)",
              "(ExpiredToken",
              "(InvalidAccessKeyId)",
              "(SignatureDoesNotMatch)",
              "(403) when calling",
              "401 Client Error",
              "403 Client Error",
              "access a gated repo",
              "GatedRepoError",
              "PermissionError: "),
          rule(
              FailureClass.CONFIGURATION,
              "the container's runtime could not start the program",
              "FATAL:   "),
          rule(
              FailureClass.CONFIGURATION,
              "the card got no memory that it may lock, or has no queue left: raise the limit (`ulimit -l unlimited`, docker"
                  + " --ulimit memlock=-1), and look how many processes share the card",
              VERBS),
          rule(
              FailureClass.CONFIGURATION,
              "batch, ranks and the framework's settings do not fit together: the numbers behind it say how",
              "Check batch related parameters",
              "Either train_batch_size or train_micro_batch_size_per_gpu needs to be provided",
              "config values that mismatch TrainingArguments values",
              "modes cannot be simultaneously enabled",
              ") is not divisible by micro batch size (",
              "is not divisible by tensor_model_parallel_size",
              "is not divisible by tensor parallel size",
              "is not divisible by total_model_size",
              "must be a multiple of tensor_model_parallel_size",
              "must be divisible by tensor parallel size",
              "requires the save and eval strategy to match",
              "At most one of fp16 and bf16 can be True",
              "Your setup doesn't support bf16/gpu"),
          rule(
              FailureClass.CONFIGURATION,
              "mpirun asks for more processes than the hosts were given slots: look at -np, the host file, --oversubscribe",
              "not enough slots available"),
          rule(
              FailureClass.CONFIGURATION,
              "mpirun could not start its daemon on another host: look at ssh, at the path of Open MPI there, and at firewalls",
              "unable to reliably start one or more daemons"),
          rule(
              FailureClass.CONFIGURATION,
              "two processes were given one GPU: check local ranks and CUDA_VISIBLE_DEVICES",
              "Duplicate GPU detected"),
          rule(
              FailureClass.CONFIGURATION,
              "Slurm's container plugin could not start the container: the lines beside it say why",
              "pyxis: "),
          rule(
              FailureClass.CONFIGURATION,
              "srun and this Open MPI have no PMI in common: see what `srun --mpi=list` offers, or start it with mpirun",
              "OMPI was not built with",
              "requires access to a local PMIx server"),
          rule(
              FailureClass.CONFIGURATION,
              "the program was to be bound to CPUs or memory that this machine does not have: look at the binding's arguments",
              "numactl: <"),
          rule(
              FailureClass.CONFIGURATION,
              "a library is not installed, or is in no directory that the loader looks into: look at LD_LIBRARY_PATH",
              "cannot open shared object file"),
          rule(
              FailureClass.CONFIGURATION,
              "a package was built for other versions than those that are installed: install them anew together",
              "undefined symbol: _Z", // of C++, as Python's extensions are
              "' not found (required by",
              "CUDA Setup failed despite",
              "only supports Ampere GPUs or newer"),
          rule(
              FailureClass.CONFIGURATION,
              "the command names a program that is not there",
              "can't open file '",
              "can't find '__main__' module in"),
          rule(
              FailureClass.EXCEPTION,
              "some of the process's devices never reached a collective, and the process ended itself: look for the first to"
                  + " fail, and for one that runs another program",
              "to join the rendezvous"),
          rule(
              FailureClass.EXCEPTION,
              "a check in C or C++ code failed, and the process aborted itself",
              "SIGABRT: "),
          rule(
              FailureClass.CONFIGURATION,
              "another process holds the port",
              "EADDRINUSE",
              "Address already in use"),
          rule(
              FailureClass.CONFIGURATION,
              "the program and this machine do not fit together",
              "no CUDA-capable device is detected",
              "No CUDA GPUs are available",
              "system not yet initialized",
              "invalid device ordinal",
              "no kernel image is available",
              "CUDA driver version is insufficient",
              "Found no NVIDIA driver",
              "forward compatibility was attempted"),
          rule(
              FailureClass.CONFIGURATION,
              "NCCL found no address that it can use: look at NCCL_SOCKET_IFNAME",
              "is neither AF_INET"),
          rule(
              FailureClass.CONFIGURATION,
              "NCCL is not installed, or is in no directory that the loader looks into",
              "Unable to load NCCL library"),
          rule(
              FailureClass.EXCEPTION,
              "another rank raised an exception or ended early: look for the first to fail",
              "Horovod has been shut down"),
          rule(
              FailureClass.EXCEPTION,
              "XLA could not run a compiled step: the words behind it say why",
              "Failed to execute XLA Runtime executable"),
          rule(
              FailureClass.EXCEPTION,
              "an engine's process failed while it started: its own lines say why",
              "Engine core initialization failed"),
          rule(
              FailureClass.EXCEPTION,
              "the ranks do not make the same calls in the same order: look at the program",
              "Detected mismatch between collectives"),
          rule(
              FailureClass.EXCEPTION,
              "a kernel that the program started failed, often one before the call that raised it: run it with"
                  + " CUDA_LAUNCH_BLOCKING=1",
              KERNEL_ERRORS),
          rule(
              FailureClass.DISK_FULL,
              "a disk or a quota is full",
              "No space left on device",
              "Disk quota exceeded",
              "Errno 28",
              "Errno 122"),
          rule(
              FailureClass.OUT_OF_MEMORY,
              "the host or the pod has no memory left",
              "Cannot allocate memory",
              "can't allocate memory",
              "OOMKilled",
              "oom-kill",
              "oom_kill",
              "Out of memory: Kill",
              "out of memory: Kill",
              "killed due to memory pressure",
              "gone over memory limit",
              "exceeds the memory usage threshold",
              "by allocator cpu",
              "Out Of Memory",
              "running low on memory",
              "std::bad_alloc",
              "MemoryError",
              "insufficient shared memory",
              "out of shared memory",
              "unable to allocate shared memory"),
          rule(
              FailureClass.KILLED,
              "SIGKILL: often the kernel's memory killer; look at dmesg and at the pod's last state",
              "SIGKILL",
              "is killed by signal: Killed",
              "killed by signal 9"),
          rule(
              FailureClass.SEGFAULT,
              "a page of mapped memory could not be had: /dev/shm is full or too small, or a file that is mapped became"
                  + " shorter or its storage went away",
              "SIGBUS",
              "Bus error",
              "bus error"),
          rule(
              FailureClass.SEGFAULT,
              "a library crashed: look for a core dump",
              "SIGSEGV",
              "Segmentation fault",
              "segmentation fault"),
          rule(
              FailureClass.NODE_LOST,
              "the machine is gone",
              "node has died",
              "node was marked dead",
              "marked dead because",
              "node has crashed",
              "Node failure",
              "NODE FAILURE",
              "missed too many heartbeats"),
          rule(FailureClass.TIME_LIMIT, "the scheduler's time limit", "DUE TO TIME LIMIT"),
          rule(
              FailureClass.STOPPED,
              "somebody asked for the end",
              "KeyboardInterrupt",
              "killed by signal: Terminated",
              "got signal: 15",
              "got signal: 2",
              "got signal: 1",
              "SIGTERM",
              "PREEMPTION",
              "preempted"),
          rule(
              FailureClass.NETWORK,
              "a file system over the network lost its server: look at the mount, and at its servers",
              "Stale file handle",
              "Cannot send after transport endpoint shutdown",
              "Transport endpoint is not connected"),
          rule(
              FailureClass.NETWORK,
              "what serves data or models did not answer, or asked for fewer requests: try again, or keep a copy nearer",
              "Max retries exceeded with url",
              "Failed to download ",
              "Could not connect to the endpoint URL",
              "Read timeout on endpoint URL",
              "Connect timeout on endpoint URL",
              "Read timed out",
              "ConnectTimeout",
              "ReadTimeout",
              "Connection broken: ",
              "IncompleteRead(",
              "ServerDisconnectedError",
              "ClientPayloadError",
              "ClientConnectorError",
              "EOF occurred in violation of protocol",
              "(SlowDown)",
              "(ServiceUnavailable)",
              "(InternalError) when calling",
              "(RequestTimeout)",
              "(RequestTimeTooSkewed)",
              "(500) when calling",
              "(503) when calling",
              "500 Server Error",
              "502 Server Error",
              "503 Server Error",
              "504 Server Error",
              "429 Client Error",
              "HTTP Error 500",
              "HTTP Error 502",
              "HTTP Error 503",
              "HTTP Error 504",
              "HTTP 500",
              "HTTP 502",
              "HTTP 503",
              "HTTP 504",
              "ServiceUnavailable: 503",
              "TooManyRequests: 429",
              "InternalServerError: 500",
              "GatewayTimeout: 504",
              "curl*: exit "),
          rule(
              FailureClass.NETWORK,
              "a peer could not be reached or closed the connection",
              "Connection refused",
              "Connection timed out",
              "Connection reset by peer",
              "Connection closed by",
              "has unexpectedly disconnected",
              "unable to complete a TCP connection",
              "No route to host",
              "Network is unreachable",
              "Name or service not known",
              "Temporary failure in name resolution",
              "client socket has timed out",
              "failed to connect to",
              "socketStartConnect",
              "socketPollConnect",
              "remote process exited or there was a network error",
              "RendezvousConnectionError",
              "RendezvousTimeoutError",
              "Got completion from peer",
              "retry count exceeded",
              "Broken pipe"),
          rule(
              FailureClass.NCCL,
              "HCCL gave up: its error code tells why",
              "HCCL error in",
              "HCCL function error",
              "function error: Hccl",
              "EI0002",
              "ERR02200"),
          rule(
              FailureClass.NCCL,
              "work on the NPU did not end in time, often a collective that another rank did not join: look for the first to fail",
              "EE1002: "),
          rule(FailureClass.NCCL, "oneCCL gave up: its words tell why", "oneCCL: "),
          rule(
              FailureClass.NCCL,
              "NCCL gave up",
              "NCCL error",
              "NCCL operation nccl",
              "ncclSystemError",
              "ncclInternalError",
              "ncclUnhandledCudaError",
              "ncclInvalidUsage",
              "unhandled system error",
              "unhandled cuda error",
              "NCCL communicator was aborted",
              "collective operation timeout",
              "Watchdog caught"),
          rule(
              FailureClass.DATA,
              "a file that the program reads is damaged, or no file of that kind",
              "ArrowInvalid",
              "BadZipFile",
              "BadGzipFile",
              "truncated file",
              "tarfile.ReadError: ",
              "mmap length is greater than file size",
              "corrupted record at ",
              "image file is truncated",
              "UnidentifiedImageError",
              "file signature not found",
              "Compressed file ended before the end-of-stream marker",
              "zlib.error: ",
              "LZMAError: ",
              "pickle data was truncated",
              "Error while deserializing header",
              "SafetensorError",
              "UnpicklingError: invalid load key",
              "DataLossError",
              "truncated record at ",
              "DatasetGenerationError",
              "PytorchStreamReader failed"),
          rule(
              FailureClass.DATA,
              "a file system could not read or write: look at its servers, the disk, and the node's kernel log",
              "Input/output error"),
          rule(
              FailureClass.EXCEPTION,
              "shared memory that another process made is gone: that process ended first",
              "No such file or directory: '/psm_", // Python's multiprocessing.shared_memory
              "No such file or directory: '/mp-"), // its semaphores
          rule(
              FailureClass.DATA,
              "a file that the program needs is not there",
              "FileNotFoundError",
              "No such file or directory",
              "DatasetNotFoundError",
              "(NoSuchKey)",
              "(NoSuchBucket)",
              "(404) when calling",
              "404 Client Error",
              "is not a local folder and is not a valid model identifier",
              "couldn't connect to 'https://huggingface.co'"));

  /// Messages of ranks whose peer went away.
  private static final List<String> VICTIMS =
      List.of(
          "successfully reached monitoredBarrier, but received errors",
          "Horovod has been shut down",
          "has unexpectedly disconnected",
          "child failed", // SGLang, once a child has reported its failure
          "Killing subprocess", // DeepSpeed's launcher, once a worker has ended
          "Connection closed by",
          "IBV_WC_WR_FLUSH_ERR",
          " with status=5 ",
          " with error 5,",
          "Connection reset by peer",
          "remote process exited or there was a network error",
          "Broken pipe");

  /// Messages of a rank about another rank that it waits for or disagrees with.
  private static final List<String> OF_OTHERS =
      List.of(
          "Detected mismatch between collectives on ranks",
          "failed to pass monitoredBarrier",
          "JAX distributed service detected fatal errors",
          "The following tasks are unhealthy",
          "This indicates that the remote task has failed",
          "to join the rendezvous",
          "Getting socket times out",
          "Notify register",
          "(EI0015)",
          "Watchdog caught collective operation timeout");

  /// Errors that Python raises once the main thread has left the program (CPython's
  /// `PythonFinalizationError`, before 3.13 a RuntimeError; Lib/concurrent/futures/thread.py).
  private static final List<String> OF_LEAVERS =
      List.of("PythonFinalizationError", " interpreter shutdown", " interpreter finalization");

  private FailureWords() {}

  /// Whether the error comes from a thread of a program that is already shutting down.
  static boolean ofALeaver(String text) {
    return OF_LEAVERS.stream().anyMatch(text::contains);
  }

  /// Whether a kernel failed that the process itself had started. Whoever reports it, a watchdog
  /// too, is of the process that failed, not of a peer that lost it.
  static boolean ofOwnKernel(String text) {
    return KERNEL_ERRORS.stream().anyMatch(text::contains);
  }

  /// Whether a rank reports what another rank did or failed to do.
  static boolean ofAnother(String text) {
    return OF_OTHERS.stream().anyMatch(text::contains);
  }

  /// Whether this is the message of a rank that lost its peer, without a reason of its own in it.
  static boolean ofAVictim(String text) {
    return VICTIMS.stream().anyMatch(text::contains)
        && of(text)
            .map(Rule::failureClass)
            .filter(it -> it != FailureClass.NETWORK && it != FailureClass.EXCEPTION)
            .isEmpty()
        && !text.contains("4126");
  }

  /// @param advice meaning and advice, one sentence
  record Rule(FailureClass failureClass, String advice, List<String> words) {}

  private static Rule rule(FailureClass failureClass, String advice, String... words) {
    return rule(failureClass, advice, List.of(words));
  }

  private static Rule rule(FailureClass failureClass, String advice, List<String> words) {
    return new Rule(failureClass, advice, words);
  }

  static Optional<Rule> of(String text) {
    return RULES.stream()
        .filter(rule -> rule.words().stream().anyMatch(words -> holds(text, words)))
        .findFirst();
  }

  /// Whether the text contains these words. A `*` separates two parts, the second of which must
  /// come after the first.
  private static boolean holds(String text, String words) {
    int star = words.indexOf('*');
    if (star < 0) {
      return text.contains(words);
    }
    int first = text.indexOf(words.substring(0, star));
    return first >= 0 && text.indexOf(words.substring(star + 1), first + star) >= 0;
  }
}
