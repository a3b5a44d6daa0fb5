package io.ringside.streams.detect.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.recorded.Recorded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Signals that crash a process, exceptions that only say where another one was raised, and what
/// stores of data and models answer.
class CrashAndStorageTest {
  private static final String TRACEBACK = "Traceback (most recent call last):";
  private static final String FRAME = "  File \"/work/train.py\", line 12, in main";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[gpu-3:7765 :0:7790] Caught signal 7 (Bus error: nonexistent physical address) | SEGFAULT",
        "3: [gpu-3:7765 :0:7790] Caught signal 7 (Bus error: nonexistent physical address) | SEGFAULT",
        "[gpu-3:7765:0:7790] Caught signal 8 (Floating point exception: integer divide by zero) | UNKNOWN",
        "[gpu-3:07765] Signal: Bus error (7) | SEGFAULT",
        "Fatal Python error: Bus error | SEGFAULT",
        "Bus error (core dumped) | SEGFAULT",
        "Bus error | SEGFAULT",
        "./train.sh: line 12:  4471 Bus error               (core dumped) python train.py | SEGFAULT",
        "./train.sh: line 12:    51 Killed                  python train.py | KILLED",
        "Illegal instruction (core dumped) | UNKNOWN",
        "./train.sh: line 4: 51 Illegal instruction     (core dumped) python train.py | UNKNOWN",
        "*** SIGBUS (@0x7fb1) received by PID 2211 (TID 0x7fb4) from PID 18; stack trace: *** | SEGFAULT",
        "srun: error: gpu-1: task 2: Bus error (core dumped) | SEGFAULT",
        "srun: error: gpu-1: task 2: Illegal instruction (core dumped) | UNKNOWN",
        "Error no kernel image is available for execution on the device at line 167 in file /src/csrc/ops.cu | CONFIGURATION",
        "Error out of memory at line 383 in file /src/csrc/pythonInterface.cu | GPU_OUT_OF_MEMORY",
        "FATAL:   could not open image /images/train.sif: no such file or directory | CONFIGURATION",
        "prterun noticed that process rank 5 with PID 4455 on node gpu-02 exited on signal 11 (Segmentation fault). | SEGFAULT",
        "   Process name: [prterun-gpu-1-4471@1,2] Exit code:    1 | UNKNOWN",
        "F1120 10:03:11.889911    4471 gpu_executable.cc:613] Check failed: stream->ok() stream executor is in an error state | EXCEPTION",
        "2026-11-20 10:01:13.778899: F tensorflow/core/kernels/conv_ops_gpu.cc:112] Check failed: status == CUDNN_STATUS_SUCCESS (3 vs. 0) | EXCEPTION",
      })
  void readsWhatIsSaidOfACrash(String line, FailureClass expected) {
    assertThat(failed("step 12", line).orElseThrow().failureClass()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bus errors of PCIe: corrected 2, fatal 0",
        "Bus error counters are all zero",
        "pcieport 0000:00:01.0: PCIe Bus Error: severity=Corrected, type=Data Link Layer",
        "the handler prints 'Caught signal 7 (Bus error: nonexistent physical address)' then",
        "E1120 10:03:11.889911    4471 gpu_executable.cc:613] Check failed: a hint is not met, going on",
        "2026-11-20 10:01:13.778899: E tensorflow/core/kernels/conv_ops_gpu.cc:112] Check failed: retrying",
        "Error of the estimate at line 7 in file /work/report.txt",
        "signal 11 (Segmentation fault).",
      })
  void takesNothingElseForACrash(String line) {
    assertThat(failed("step 12", line)).isEmpty();
  }

  /// A container that a script does without.
  @Test
  void isNoneWhereTheScriptGoesOnWithoutTheContainer() {
    assertThat(
            failed(
                "step 12",
                "FATAL:   could not open image /images/train.sif: no such file or directory",
                "running without the container",
                "loading the data",
                "loading the model"))
        .isEmpty();
  }

  @Test
  void namesTheRankBesideTheSignal() {
    var byTask = failed("step 12", "3: [n1:77 :0:79] Caught signal 7 (Bus error: x)");
    var wrapped =
        failed(
            "step 12",
            "prterun noticed that process rank 5 with PID 4455 on node gpu-02 exited on",
            "signal 11 (Segmentation fault).");
    var openMpi =
        failed(
            "step 12",
            "[gpu-1:3345] *** An error occurred in MPI_Allreduce",
            "[gpu-1:3345] *** reported by process [1912602625,2]",
            "[gpu-1:3345] *** on communicator MPI_COMM_WORLD",
            "[gpu-1:3345] *** MPI_ERR_TRUNCATE: message truncated",
            "[gpu-1:3345] *** MPI_ERRORS_ARE_FATAL (processes in this communicator will now abort,");

    assertThat(byTask.orElseThrow().ranks()).containsExactly(3);
    assertThat(wrapped.orElseThrow().ranks()).containsExactly(5);
    assertThat(wrapped.orElseThrow().failureClass()).isEqualTo(FailureClass.SEGFAULT);
    assertThat(openMpi.orElseThrow().ranks()).containsExactly(2);
    assertThat(openMpi.orElseThrow().observed()).contains("MPI_ERR_TRUNCATE");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ValueError | Failed to download 4096 bytes from https://data.example.com/1.npy after 5 attempts. | NETWORK",
        "MemoryError | | OUT_OF_MEMORY",
        "tarfile.ReadError | unexpected end of data | DATA",
        "OSError | [Errno 116] Stale file handle: '/mnt/data/3.bin' | NETWORK",
        "KeyError | 'caption' | EXCEPTION",
      })
  void readsWhatWasRaisedInADataLoadersWorker(String type, String message, FailureClass expected) {
    var raised = message == null ? type : type + ": " + message;
    var failed =
        failed(
                "step 12",
                TRACEBACK,
                FRAME,
                "%s: Caught %s in DataLoader worker process 2.".formatted(type, type),
                "Original " + TRACEBACK,
                "  File \"/work/data.py\", line 7, in __getitem__",
                raised)
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(expected);
    assertThat(failed.summary())
        .contains(raised.substring(raised.lastIndexOf("tarfile.") < 0 ? 0 : "tarfile.".length()))
        .contains("data.py");
  }

  /// As a notebook prints it, whose frames are no Python's.
  @Test
  void readsWhatWasRaisedInAReplica() {
    var alone =
        failed("step 12", "OutOfMemoryError: Caught OutOfMemoryError in replica 0 on device 0.");
    var followed =
        failed(
            "step 12",
            "OutOfMemoryError: Caught OutOfMemoryError in replica 0 on device 0.",
            "Original " + TRACEBACK,
            "  File \"/work/model.py\", line 7, in forward",
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB");

    assertThat(alone.orElseThrow().failureClass()).isEqualTo(FailureClass.GPU_OUT_OF_MEMORY);
    assertThat(followed.orElseThrow().failureClass()).isEqualTo(FailureClass.GPU_OUT_OF_MEMORY);
    assertThat(followed.orElseThrow().summary()).contains("2.00 GiB");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on memory. | OUT_OF_MEMORY",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB | GPU_OUT_OF_MEMORY",
      })
  void whatATaskOfRaysRaisedTellsWhichMemory(String raised, FailureClass expected) {
    var failed =
        failed(
                "step 12",
                TRACEBACK,
                FRAME,
                "ray.exceptions.RayTaskError(OutOfMemoryError): ray::Runner.run() (pid=41, ip=10.0.0.5)",
                "  File \"/work/runner.py\", line 7, in run",
                raised)
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(expected);
  }

  @Test
  void readsWhichMemoryTensorFlowLacked() {
    for (var of : List.of("GPU_0_bfc|GPU_OUT_OF_MEMORY", "cpu|OUT_OF_MEMORY")) {
      var failed =
          failed(
                  "step 12",
                  TRACEBACK,
                  FRAME,
                  "tensorflow.python.framework.errors_impl.ResourceExhaustedError: Graph execution error:",
                  "",
                  "Node: 'layer_3/MatMul'",
                  "OOM when allocating tensor with shape[64,512] and type float on /job:localhost by allocator "
                      + of.substring(0, of.indexOf('|')))
              .orElseThrow();

      assertThat(failed.failureClass())
          .isEqualTo(FailureClass.valueOf(of.substring(of.indexOf('|') + 1)));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "huggingface_hub.errors.HfHubHTTPError: 504 Server Error: Gateway Time-out for url: https://hub.example.com | NETWORK",
        "huggingface_hub.errors.GatedRepoError: 401 Client Error. (Request ID: 1) | CONFIGURATION",
        "botocore.exceptions.ClientError: An error occurred (SlowDown) when calling the GetObject operation (reached max retries: 4): Please reduce your request rate. | NETWORK",
        "botocore.exceptions.NoCredentialsError: Unable to locate credentials | CONFIGURATION",
        "botocore.exceptions.ClientError: An error occurred (404) when calling the HeadObject operation: Not Found | DATA",
        "botocore.exceptions.EndpointConnectionError: Could not connect to the endpoint URL: \"https://s3.example.com/1.tar\" | NETWORK",
        "google.api_core.exceptions.ServiceUnavailable: 503 GET https://storage.example.com/o/1: try again. | NETWORK",
        "OSError: [Errno 116] Stale file handle: '/mnt/data/3.bin' | NETWORK",
        "OSError: [Errno 5] Input/output error: '/mnt/data/3.bin' | DATA",
        "OSError: [Errno 24] Too many open files: '/mnt/data/3.bin' | CONFIGURATION",
        "PermissionError: [Errno 13] Permission denied: '/ckpt/1.pt' | CONFIGURATION",
        "_pickle.UnpicklingError: invalid load key, 'v'. | DATA",
        "RuntimeError: unable to write to file </torch_33_2_9>: No space left on device (28) | CONFIGURATION",
        "RuntimeError: DataLoader worker (pid 31) is killed by signal: Bus error. | SEGFAULT",
        "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Failed to allocate request for 2.50GiB (2684354560B) on device ordinal 0 | GPU_OUT_OF_MEMORY",
        "RuntimeError: [TensorRT-LLM][ERROR] CUDA runtime error in ::cudaMallocAsync(ptr, n, pool, stream): out of memory (/work/tllmBuffers.h:133) | GPU_OUT_OF_MEMORY",
        "RuntimeError: [TensorRT-LLM][ERROR] CUDA runtime error in cudaDeviceSynchronize(): an illegal memory access was encountered | EXCEPTION",
        "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 8,589,934,592 bytes. | GPU_OUT_OF_MEMORY",
        "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine. | GPU_OUT_OF_MEMORY",
        "ImportError: /env/flash_attn_2_cuda.so: undefined symbol: _ZN3c104cuda9SetDeviceEa | CONFIGURATION",
        "RuntimeError: No CUDA GPUs are available | CONFIGURATION",
        "triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 131072, Hardware limit: 101376. | EXCEPTION",
      })
  void namesTheClassOfWhatWasRaised(String exception, FailureClass expected) {
    var failed = failed("step 12", TRACEBACK, FRAME, exception).orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "botocore.exceptions.ClientError: An error occurred (SlowDown) when calling the GetObject operation: slower",
        "OSError: [Errno 116] Stale file handle: '/mnt/data/3.bin'",
        "requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='data.example.com', port=443): Read timed out. (read timeout=10)",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB",
        "ValueError: Caught ValueError in DataLoader worker process 2.",
      })
  void isNoneWhereTheProgramTriedAgain(String exception) {
    var lines = new ArrayList<>(List.of("step 12", TRACEBACK, FRAME, exception, "trying again"));
    IntStream.range(13, 40)
        .mapToObj(step -> "step %d, loss 2.1".formatted(step))
        .forEach(lines::add);

    assertThat(failed(lines.toArray(String[]::new))).isEmpty();
  }

  private static final String RETURNED =
      "{'train_runtime': 312.5, 'train_samples_per_second': 4.1, 'train_steps_per_second': 0.01, 'epoch': 1.0}";

  private static final String[] OF_A_THREAD = {
    "Exception in thread QueueFeederThread:",
    TRACEBACK,
    "  File \"/usr/lib/python3.11/threading.py\", line 1045, in _bootstrap_inner",
    "    self.run()",
    "EOFError"
  };

  /// Of its own it ends a thread alone, and a program that leaves leaves its threads.
  @Test
  void aThreadsExceptionIsNoneOnceTrainingIsDone() {
    var after = new ArrayList<>(List.of("step 12", RETURNED));
    after.addAll(Arrays.asList(OF_A_THREAD));
    var before = new ArrayList<>(List.of("step 12"));
    before.addAll(Arrays.asList(OF_A_THREAD));

    assertThat(failed(after.toArray(String[]::new))).isEmpty();
    assertThat(failed(before.toArray(String[]::new)).orElseThrow().summary()).contains("EOFError");
  }

  /// The launcher knows the pid at once, and the rank in its table.
  @Test
  void takesTheWordsOfTheRankWhosePidEndedFirst() {
    var failed =
        failed(
                "step 12",
                "[rank2]: " + TRACEBACK,
                "[rank2]: " + FRAME,
                "[rank2]: RuntimeError: [gloo/transport/tcp/pair.cc:589] Read error [10.0.3.4]:51012: Connection reset by peer",
                "E1120 10:02:11.123456 3250 torch/distributed/elastic/multiprocessing/api.py:882] failed (exitcode: 1) local_rank: 2 (pid: 3302) of binary: /usr/bin/python3",
                "Root Cause (first observed failure):",
                "[0]:",
                "  time      : 2026-11-20_10:02:10",
                "  host      : gpu-1",
                "  rank      : 2 (local_rank: 2)",
                "  exitcode  : 1 (pid: 3302)")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.NETWORK);
    assertThat(failed.ranks()).containsExactly(2);
  }

  @Test
  void takesTheWordsOfWhoeverSpokeForAnEndOfTheWholeJob() {
    var failed =
        failed(
                "step 12",
                "[1,2]<stderr>:" + TRACEBACK,
                "[1,2]<stderr>:" + FRAME,
                "[1,2]<stderr>:horovod.common.exceptions.HorovodInternalError: ncclAllReduce failed: unhandled system error",
                "Primary job  terminated normally, but 1 process returned")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.NCCL);
  }

  private static Optional<Finding> failed(String... lines) {
    var log = new ArrayList<>(Collections.nCopies(3, "loading"));
    log.addAll(Arrays.asList(lines));
    return Recorded.of(Map.of("job.log", log)).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.JOB_FAILED)
        .findFirst();
  }
}
