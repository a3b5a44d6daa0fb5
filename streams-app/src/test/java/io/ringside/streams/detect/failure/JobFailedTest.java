package io.ringside.streams.detect.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.recorded.Recorded;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobFailedTest {
  private static final String TRACEBACK = "Traceback (most recent call last):";
  private static final String FRAME = "  File \"/workspace/train.py\", line 81, in step";
  private static final String LIBRARY =
      "  File \"/usr/lib/python3.12/site-packages/torch/nn/modules/module.py\", line 1773, in _call_impl";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.16 GiB. | GPU_OUT_OF_MEMORY",
        "RuntimeError: [enforce fail at alloc_cpu.cpp:117] data. DefaultCPUAllocator: can't allocate memory | OUT_OF_MEMORY",
        "KeyError: 'packed_input_len' | EXCEPTION",
        "OSError: [Errno 28] No space left on device: '/ckpt/step_100' | DISK_FULL",
        "FileNotFoundError: [Errno 2] No such file or directory: 'train.bin' | DATA",
        "FileNotFoundError: [Errno 2] No such file or directory: '/psm_33bfb96e' | EXCEPTION",
        "torch.AcceleratorError: CUDA error: uncorrectable ECC error encountered | GPU_ERROR",
        "RuntimeError: DataLoader worker (pid 77) is killed by signal: Killed. | KILLED",
        "torch.distributed.DistNetworkError: The client socket has timed out after 60000ms | NETWORK",
        "RuntimeError: CUDA error: no kernel image is available for execution on the device | CONFIGURATION",
        "KeyboardInterrupt | STOPPED",
        "subprocess.TimeoutExpired: Command '['nvcc', '-c', 'a.cu']' timed out after 600 seconds | EXCEPTION",
        "queue.Full | EXCEPTION",
        "zlib.error: Error -3 while decompressing data: incorrect header check | DATA",
        "struct.error: unpack requires a buffer of 8 bytes | EXCEPTION",
        "socket.timeout: timed out | EXCEPTION",
        "_pickle.UnpicklingError: pickle data was truncated | DATA",
        "OSError: libcudnn.so.8: cannot open shared object file: No such file or directory | CONFIGURATION",
        "RuntimeError: (PreconditionNotMet) The third-party dynamic library (libnccl.so) that Paddle depends on is not configured correctly. (error code is libnccl.so: cannot open shared object file: No such file or directory) | CONFIGURATION",
        "RuntimeError: DataLoader worker (pid 77) is killed by signal: Terminated. | STOPPED",
        "ValueError: (InvalidArgument) The input of matmul has 3 columns, the other one 5 rows. | EXCEPTION",
        "GatedRepo: access to model meta-llama/Llama-3-8B is restricted | EXCEPTION",
        "pyarrow.lib.ArrowInvalid: Could not open Parquet input source 'a.parquet': Parquet magic bytes not found in footer. | DATA",
        "zipfile.BadZipFile: File is not a zip file | DATA",
        "RuntimeError: mindspore/ccsrc/ascend_memory_manager.cc:62 MallocDeviceMemory] Malloc device memory failed, size[32212254720], ret[207001] | GPU_OUT_OF_MEMORY",
        "torch.OutOfMemoryError: Caught OutOfMemoryError in replica 0 on device 0. | GPU_OUT_OF_MEMORY",
        "tarfile.ReadError: ('unexpected end of data', '/data/shards/part-000417.tar') | DATA",
        "ValueError: mmap length is greater than file size | DATA",
        "AssertionError: Check batch related parameters. train_batch_size is not equal to micro_batch_per_gpu * gradient_acc_step * world_size 96 != 4 * 2 * 16 | CONFIGURATION",
        "AssertionError: Either train_batch_size or train_micro_batch_size_per_gpu needs to be provided | CONFIGURATION",
        "AssertionError: global batch size (100) is not divisible by micro batch size (3) times data parallel size (16) | CONFIGURATION",
        "ValueError: Total number of attention heads (40) must be divisible by tensor parallel size (3). | CONFIGURATION",
        "ValueError: --load_best_model_at_end requires the save and eval strategy to match, but found | CONFIGURATION",
        "torch.distributed.DistBackendError: Call to ibv_create_cq failed with error Cannot allocate memory | CONFIGURATION",
        "OSError: [Errno 12] Cannot allocate memory | OUT_OF_MEMORY",
      })
  void namesTheClassOfTheException(String exception, FailureClass expected) {
    var failed = failed("step 12", TRACEBACK, FRAME, LIBRARY, exception).orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(expected);
    assertThat(failed.severity())
        .isEqualTo(expected == FailureClass.STOPPED ? Severity.INFO : Severity.CRITICAL);
    assertThat(failed.summary() + failed.observed()).contains("/workspace/train.py:81 in step");
  }

  /// A rank that lost its peer knows no more, but that is more than its exit code.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RuntimeError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1191, unhandled system error, NCCL version 2.11.4 | NCCL",
        "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely. | NCCL",
        "ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error. | NCCL"
      })
  void takesTheWordsOfWhoNamesNoRankForAnEndWithoutAny(String says, FailureClass expected) {
    var failed =
        failed(
                "step 12",
                says,
                "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: 1) local_rank: 0 (pid: 15855) of binary: /opt/venv/bin/python")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(expected);
  }

  @Test
  void readsTheExceptionsOfTensorFlow1() {
    assertThat(
            failed(
                    "AbortedError (see above for traceback): Horovod has been shut down. This has been ca",
                    "used by an exception on one of the rank or an attempt to allreduce, allgather or bro")
                .orElseThrow()
                .failureClass())
        .isEqualTo(FailureClass.EXCEPTION);
    assertThat(
            failed(
                    "ResourceExhaustedError (see above for traceback): OOM when allocating tensor with shape[64,512] on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc")
                .orElseThrow()
                .failureClass())
        .isEqualTo(FailureClass.GPU_OUT_OF_MEMORY);
  }

  private static final String FULL =
      "2026-07-01 08:00:22 | WARNING | ckpt:save:80 - [Errno 28] No space left on device: '/d/step_9.pt'";

  /// The program caught it, and ended all the same.
  @Test
  void takesWhatALoggerToldLastForTheReasonOfAnEndWithoutAny() {
    assertThat(
            failed("step 12", FULL, "srun: error: node07: task 0: Exited with exit code 3")
                .orElseThrow()
                .failureClass())
        .isEqualTo(FailureClass.DISK_FULL);
  }

  @Test
  void isNoneByWhatALoggerToldAlone() {
    assertThat(failed("step 12", FULL)).isEmpty();
    assertThat(failed("step 12", FULL, "Training complete")).isEmpty();
  }

  @Test
  void namesWhatXlaCouldNotRun() {
    assertThat(
            failed(
                    "jaxlib.xla_extension.XlaRuntimeError: INTERNAL: Failed to execute XLA Runtime executable: run time error: custom call 'xla.gpu.all_reduce' failed: external/xla/xla/service/gpu/nccl_utils.cc:133: NCCL operation ncclGetUniqueId(&id) failed: Unable to load NCCL library. Multi-GPU collectives will not work.")
                .orElseThrow()
                .failureClass())
        .isEqualTo(FailureClass.CONFIGURATION);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/home/me/train.sh: line 44: 367038 Hangup                  torchrun train.py | STOPPED",
        "/x/utils.sh: line 114: 1508441 Hangup                  \"${FINAL_CMD[@]}\" 2>&1 | STOPPED",
        "/home/me/train.sh: line 9: 51 Killed                  python train.py > log | KILLED",
        "/var/spool/slurm/d/job7/slurm_script: line 23: 4273 Killed                  uvicorn api:app --port 8000 | KILLED",
        "./train.sh: line 131: 1948759 Killed                  deepspeed --hostfile h | KILLED",
        "[2026-02-13T13:17:58.734] error: Detected 1 oom_kill event in StepId=9558811.0. | OUT_OF_MEMORY",
        "Nov 10 14:02:10 hx2 systemd-oomd[1021]: Killed /system.slice/train.service due to memory used (1.9T) / total (1.9T) and swap used (15.9G) / total (16.0G) being more than 90.00% | OUT_OF_MEMORY",
        "Killed /user.slice/user-1000.slice/run-u44.scope due to memory pressure for /user.slice being 61.02% > 50.00% for > 30s with reclaim activity | OUT_OF_MEMORY",
        "run.sh: line 9: 51 Segmentation fault      (core dumped) deepspeed train.py | SEGFAULT",
        "bin/serve.sh: line 17: 4711 Killed                  \"$INTERPRETER\" \"$ROOT/serve.py\" --port \"$PORT\" | KILLED",
        "run.sh: 行 9: 51 已杀死                  python train.py | KILLED",
        "/home/me/run.sh: 行 9: 51 段错误               （核心已转储） torchrun train.py | SEGFAULT",
        "run.sh: 行 9: 51 已终止                  torchrun train.py | STOPPED",
        "run.sh: 列 9: 51 強制結束                torchrun train.py | KILLED",
        "run.sh: 行 9: 51 強制終了                torchrun train.py | KILLED",
        "run.sh: строка 9: 51 Убито                   torchrun train.py | KILLED",
        "run.sh: Zeile 9: 51 Getötet                 torchrun train.py | KILLED",
        "./run.sh: ligne 9: 51 Processus arrêté      torchrun train.py | KILLED",
        "run.sh: linha 9: 51 Falha de segmentação (imagem do núcleo gravada)torchrun train.py | SEGFAULT",
        "已杀死 | KILLED",
        "段错误（核心已转储） | SEGFAULT",
        "python: can't open file 'train.py': [Errno 2] No such file or directory | CONFIGURATION",
        "/opt/venv/bin/python3.11: can't open file '/work/train.py': [Errno 2] No such file or directory | CONFIGURATION",
        "[1,3]<stderr>:/usr/bin/python3: can't find '__main__' module in '/work' | CONFIGURATION",
        "/usr/bin/python3: No module named torch.distributed.run | CONFIGURATION",
        "train: src/queue.cc:71: void Queue::push(int): Assertion `size < capacity' failed. | EXCEPTION",
        "python: ../nptl/pthread_mutex_lock.c:81: __pthread_mutex_lock: Assertion `mutex->__data.__owner == 0' failed. | EXCEPTION",
        "[rank3]: python3: /src/lib/Dialect/Layout.cpp:123: bool fits(Layout &): Assertion `rank > 0 && \"no rank\"' failed. | EXCEPTION",
        "RuntimeError: Training failed with exit code 1 | EXCEPTION",
        "gpu: Test CUDA failure common.cu:1030 'system not yet initialized' | CONFIGURATION",
        "ERROR [multiproc_executor.py:870] WorkerProc failed to start. | UNKNOWN",
        "(EngineCore_DP0 pid=288) ERROR 04-09 13:50:03 [core.py:710] EngineCore encountered a fatal error. | UNKNOWN",
        "(EngineCore_DP0 pid=18235) ERROR 12-04 11:46:32 [core.py:843] EngineCore failed to start. | UNKNOWN",
        "(APIServer pid=1) ERROR 05-05 12:36:59 [serving.py:1173] vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace (above) for the root cause. | UNKNOWN",
        "ERROR [12/20 18:16:20 d2.engine.train_loop]: Exception during training: | UNKNOWN",
        "  (0) Resource exhausted: OOM when allocating tensor with shape[16,112,112,147] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc | GPU_OUT_OF_MEMORY",
        "[2025-03-09 00:57:20] Received sigquit from a child proces. It usually means the child failed. | UNKNOWN",
        "[2025-11-02 10:11:12] SIGQUIT received. signum=None, frame=None. It usually means one child failed. | UNKNOWN",
        "(raylet) [2026-09-12 05:31:20,100 E 812 812] (raylet) node_manager.cc:3064: 1 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed | OUT_OF_MEMORY",
        " actors) killed due to memory pressure (OOM), 0 Workers crashed due to other reasons at node (ID: abd4 | OUT_OF_MEMORY",
        "Memory on the node (IP: 10.0.1.2, ID: 70) where the task (actor ID: 0d, name=Worker.__init__, pid=308) was running was 12.49GB / 13.15GB (0.95), which exceeds the memory usage threshold of 0.95. Ray killed this worker (ID: 1) | OUT_OF_MEMORY",
        "[3017506.733819] Out of memory: Kill process 25635 (python) score 974 or sacrifice child | OUT_OF_MEMORY",
        "[511.2] Memory cgroup out of memory: Kill process 91 (python3) score 1001 or sacrifice child | OUT_OF_MEMORY",
        "Hold reason: Error from slot1_7@gpu.example.edu: Docker job has gone over memory limit of 1024 Mb | OUT_OF_MEMORY",
        "Error from slot1_7@gpu.example.edu: Job has gone over memory limit of 1024 megabytes. | OUT_OF_MEMORY",
        "wandb: Program failed with code 1.  Press ctrl-c to abort syncing. | UNKNOWN",
        "wandb: Waiting for W&B process to finish... (failed 1). Press Control-C to abort syncing. | UNKNOWN",
        "[2026-11-23 13:55:18] Error: DataLoader worker (pid(s) 1142198) exited unexpectedly | UNKNOWN",
        "2026-11-24 20:22:28.106 /bin/bash: line 27: 318 Killed sh start.sh | KILLED",
        "The actor is dead because its worker process has died. Worker exit type: NODE_OUT_OF_MEMORY Worker exit detail: Task was killed | OUT_OF_MEMORY",
        "mkdir: cannot create directory '/ckpt/step_100': No space left on device | DISK_FULL",
        "cp: error writing '/ckpt/step_100/model.pt': No space left on device | DISK_FULL",
        "  Message:               TFJob myjob has failed because 1 Worker replica(s) failed. | UNKNOWN",
        "[AITER] /build/fmha_fwd_v3.cpp:142 fail to call hipModuleLaunchKernel(kernel_func, gdx, 1) ---> [HIP error](invalid resource handle) | EXCEPTION",
        "The actor is dead because its worker process has died. Worker exit type: SYSTEM_ERROR Worker exit detail: Worker unexpectedly exits | UNKNOWN",
        "2024-01-11 05:43:11.726254: E external/xla/xla/service/gpu/nccl_utils.cc:211] Aborting communicator: 0x7f3e427e55b0 due to async NCCL error: remote process exited or there was a network error | NCCL",
        "The actor is dead because its owner has died. Owner Id: 05ff Worker exit detail: Owner's node has crashed. | NODE_LOST",
        "[worker-3:152  :0:510] ib_mlx5_log.c:171  Transport retry count exceeded on mlx5_0:1/IB (synd 0x15 vend 0x81 hw_synd 0/0) | NETWORK",
        "[1732137045.123456] [worker-3:152  :0]    ib_mlx5_log.c:179  UCX  ERROR Transport retry count exceeded on mlx5_0:1/RoCE (synd 0x15) | NETWORK",
        "[rank1]: EI0006: [PID: 129] 2025-04-08-18:07:20.444.436 Getting socket times out. Reason: Remote Rank did not send the data in time. | NETWORK",
        "[PID: 749] 2025-12-29-03:16:15.787.356 Get_Socket_Timeout(EI0006): Getting socket times out. Reason: 1. The remote does not initiate a connect request. | NETWORK",
        "[ERROR] HCCL(3603,backend):2025-05-13-02:25:58.068.817 [op_base.cc:974][3681][Init][CommRootInfoConfig]errNo[0x0000000005000002]HcclCommInitRootInfo failed. | NCCL",
        "HCCL demo error: In function initDevice(): synDeviceAcquire(&resources.deviceHandle, nullptr) failed with synapse error: 20 | CONFIGURATION",
        "ERROR 05-30 22:22:26 [worker_base.py:620] Error executing method 'init_device'. This might cause deadlock in distributed execution. | UNKNOWN",
        "EI0002: 2024-05-21-11:57:54.167.645 The wait execution of the Notify register times out. | NCCL",
        "[PID: 33] 2026-04-28-16:56:52.897.463 Communication_Error_Bind_IP_Port(EJ0003): Failed to bind the IP port. | CONFIGURATION",
        "[CRITICAL] DEVICE(1628,fffd6cff91e0,python):2022-12-01-00:26:58.399.787 [ascend_graph_executor.cc:240] RunGraph] Run task for graph:kernel_graph_1 error! The details refer to 'Ascend Error Message'.Ascend Error Message:EI0002: The wait execution of the Notify register times out. | NCCL",
        "Signal 9 (SIGKILL) received by PID 732 | KILLED",
        "traceback: Signal 11 (SIGSEGV) received by PID 732 | SEGFAULT",
        "The node was low on resource: ephemeral-storage. | DISK_FULL",
        "The node was low on resource: memory. Container trainer was using 90Gi, request is 0. | OUT_OF_MEMORY",
        "(LLMRayActor pid=324, ip=10.65.0.3) ERROR 03-21 14:01:57 worker_base.py:581] socketStartConnect: Connect to 172.18.0.2<44801> failed : Software caused connection abort | NETWORK",
        "RuntimeError: oneCCL: coll.cpp:1421 ccl_allreduce_impl: EXCEPTION: sched algorithms do not support recording | NCCL",
        "# [1,3]<stderr>:RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB | GPU_OUT_OF_MEMORY",
        "W1212 04:02:33.403934 24044 init.cc:205] *** SIGSEGV (@0x0) received by PID 24044 (TID 0x7f6406bd7740) from PID 0; stack trace: *** | SEGFAULT",
        "*** SIGABRT received by PID 9361 (TID 9361) on cpu 40 from PID 9361; stack trace: *** | UNKNOWN",
        "[2021-06-10 11:01:45,426 E 94953 94936] logging.cc:440: *** SIGBUS (@0x1f4000172d8) received by PID 94953 (TID 0x7f685213f940) from PID 94936; stack trace: *** | SEGFAULT",
        "  [SignalInfo: *** SIGSEGV (@0x7) received by PID 3247505 (TID 0x7f73c7e65340) from PID 7 ***] | SEGFAULT",
        "*** SIGTERM received by PID 7620 (TID 7620) on cpu 17 from PID 7408; stack trace: *** | STOPPED",
        "FatalError: `Segmentation fault` is detected by the operating system. | SEGFAULT",
        "FatalError: `Termination signal` is detected by the operating system. | STOPPED",
        "FatalError: A serious error (Segmentation fault) is detected by the operating system. (at /paddle/paddle/fluid/platform/init.cc:303) | SEGFAULT",
        "ERROR 2019-12-12 04:02:41,061 launch.py:269] ABORT!!! Out of all 4 trainers, the trainer process with rank=[0, 2] was aborted. Please check its log. | UNKNOWN",
        "An MPI communication peer process has unexpectedly disconnected.  This | NETWORK",
        "There are not enough slots available in the system to satisfy the 8 | CONFIGURATION",
        "ORTE was unable to reliably start one or more daemons. | CONFIGURATION",
        "    Message:               PyTorchJob llama is restarting because 1 Master replica(s) failed. | UNKNOWN",
        "2023-08-31 01:40:46.786721: W tensorflow/core/framework/op_kernel.cc:1651] OP_REQUIRES failed at nccl_communicator.cc:116 : Internal: unhandled system error | NCCL",
        "2021-03-04 10:11:12.131415: W tensorflow/core/common_runtime/base_collective_executor.cc:217] BaseCollectiveExecutor::StartAbort Internal: unhandled system error | NCCL",
        "May 15 08:57:36 red llama-swap[80783]: CUDA error: an illegal memory access was encountered | EXCEPTION",
        "CUDA error: out of memory | GPU_OUT_OF_MEMORY",
        "Abort(2665871) on node 0 (rank 0 in comm 0): Fatal error in PMPI_Init_thread: Other MPI error, error stack: | UNKNOWN",
        "MPICH ERROR [Rank 0] [job id 28.0] [Fri Dec 13 13:41:36 2024] [node05] - Abort(2665871) (rank 0 in comm 0): Fatal error in PMPI_Init_thread: Other MPI error, error stack: | UNKNOWN",
        "An internal error has occurred in ORTE: | UNKNOWN",
        "=   KILLED BY SIGNAL: 9 (Killed) | KILLED",
        "=   EXIT CODE: 9 | KILLED",
        "=   EXIT CODE: 11 | SEGFAULT",
        "sagemaker.exceptions.UnexpectedStatusException: Error for Training job a-1: Failed. Reason: ClientError: Please use an instance type with more memory | EXCEPTION",
        "absl::Status: UNAVAILABLE: The following tasks are unhealthy (stopped sending heartbeats): | NODE_LOST",
        "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {} | EXCEPTION",
        "ValueError: Free memory on device (10.41/22.49 GiB) on startup is less than desired GPU memory utilization (0.85, 19.12 GiB). | GPU_OUT_OF_MEMORY",
        "ray.exceptions.RayTaskError(OutOfMemoryError): ray::main_task() (pid=39, ip=10.8.0.9) | GPU_OUT_OF_MEMORY",
        "# RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB | GPU_OUT_OF_MEMORY",
        "EL0004: 2024-05-21-11:57:54.167.645 Failed to allocate memory. | GPU_OUT_OF_MEMORY",
        "[rank3]: EL0004: [PID: 553] 2025-09-17-04:55:13.065.712 Failed to allocate memory. | GPU_OUT_OF_MEMORY",
        "EE1002: 2024-09-03-16:50:00.041.231 Stream synchronize timeout. rtDeviceSynchronize execute failed, reason=[stream sync timeout] | NCCL",
        "EJ0001: 2024-05-21-11:57:54.167.645 Failed to initialize the HCCP process. Reason: Maybe the last training process is running. | CONFIGURATION",
      })
  void readsWhatShellsAndOtherParentsSay(String line, FailureClass expected) {
    var failed = failed("step 12", line).orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(expected);
  }

  @Test
  void namesTheRankThatHydraAndMpichName() {
    var intel =
        failed("step 12", "=   RANK 3 PID 33 RUNNING AT gpu-7", "=   KILLED BY SIGNAL: 6 (Aborted)")
            .orElseThrow();
    var mpich =
        failed(
                "step 12",
                "Abort(5) on node 2 (rank 2 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, 5) - process 2")
            .orElseThrow();

    assertThat(intel.ranks()).containsExactly(3);
    assertThat(mpich.ranks()).containsExactly(2);
    assertThat(mpich.observed()).contains("exit code 5");
  }

  @Test
  void readsATracebackInComments() {
    var failed =
        failed("step 12", "# " + TRACEBACK, "#   " + FRAME.strip(), "# KeyError: 'input_ids'")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.EXCEPTION);
    assertThat(failed.observed()).contains("input_ids");
  }

  /// The server answers requests with an error long after, and ends tidily.
  @Test
  void namesTheWorkerOfWhichAnEngineDied() {
    var lines = new ArrayList<String>();
    var worker =
        "(EngineCore_DP0 pid=288) (Worker_TP3 pid=314) ERROR 04-09 13:50:02 [multiproc_executor.py:671] ";
    lines.add(worker + "WorkerProc hit an exception.");
    lines.add(worker + TRACEBACK);
    lines.add(worker + FRAME);
    lines.add(worker + "    output = func(*args, **kwargs)");
    lines.add(
        worker + "torch.AcceleratorError: CUDA error: an illegal memory access was encountered");
    lines.add(
        "(EngineCore_DP0 pid=288) ERROR 04-09 13:50:03 [multiproc_executor.py:154] Worker proc VllmWorker-3 died unexpectedly, shutting down executor.");
    for (int request = 0; request < 60; request++) {
      lines.add(
          "(APIServer pid=1) INFO:     10.0.0.%d:41122 - \"POST /v1/chat/completions HTTP/1.1\" 500 Internal Server Error"
              .formatted(request));
    }
    lines.add("(APIServer pid=1) INFO:     Finished server process [1]");

    var failed = failed(lines.toArray(String[]::new)).orElseThrow();
    assertThat(failed.ranks()).containsExactly(3);
    assertThat(failed.observed()).contains("an illegal memory access");
  }

  /// Its launchers react before Slurm's own words are written.
  @Test
  void aTimeLimitIsWhyTheLauncherWasAskedToStop() {
    var failed =
        failed(
                "step 12",
                "Main process received SIGTERM, exiting",
                "slurmstepd: error: *** JOB 1809655 ON r6i4n3 CANCELLED AT 2021-05-24T09:50:34 DUE TO TIME LIMIT ***",
                "Killing subprocess 43950")
            .orElseThrow();
    assertThat(failed.failureClass()).isEqualTo(FailureClass.TIME_LIMIT);
    assertThat(failed.severity()).isEqualTo(Severity.INFO);
  }

  /// Slurm's `KillWait`: calls that were on their way are no sign that the job goes on. Many more
  /// are, or those of a step of it.
  @ParameterizedTest
  @CsvSource({"JOB 7, 2, true", "JOB 7, 9, false", "STEP 7.1, 2, false"})
  void ranksGoOnForAWhileAfterTheTimeLimit(String what, int callsAfter, boolean dead) {
    var lines = new ArrayList<String>();
    for (int rank = 0; rank < 16; rank++) {
      lines.add("llama-node-%1$d-0:10:10 [0]".formatted(rank) + init(rank));
    }
    lines.add(
        "slurmstepd: error: *** %s ON llama-node-0-0 CANCELLED AT 2026-11-21T09:00:00 DUE TO TIME LIMIT ***"
            .formatted(what));
    for (int call = 0; call < callsAfter; call++) {
      for (int rank = 0; rank < 16; rank++) {
        lines.add(
            "llama-node-%1$d-0:10:10 [0] NCCL INFO AllReduce: opCount %2$x sendbuff 0x7f0000000000 recvbuff 0x7f0000000000 count 4096 datatype 7 op 0 root 0 comm 0x5581%1$04d [nranks=16] stream 0x5580"
                .formatted(rank, call));
        lines.add("step %d loss 2.1 time 0.3s".formatted(call));
      }
    }

    var failed = failed(lines.toArray(String[]::new));
    assertThat(failed.isPresent()).isEqualTo(dead);
    failed.ifPresent(told -> assertThat(told.failureClass()).isEqualTo(FailureClass.TIME_LIMIT));
  }

  /// People paste the last line alone.
  @Test
  void aLoneErrorOfTorchDistributedIsADeathWhereNothingGoesOn() {
    var line =
        "torch.distributed.DistStoreError: Timed out after 1801 seconds waiting for clients. 1/3 clients joined.";

    assertThat(failed(line).orElseThrow().failureClass()).isEqualTo(FailureClass.EXCEPTION);
    var goesOn = new ArrayList<>(List.of(line));
    for (int step = 12; step < 24; step++) {
      goesOn.add("step %d loss 2.1 time 0.3s".formatted(step));
    }
    assertThat(failed(goesOn.toArray(String[]::new))).isEmpty();
  }

  @Test
  void sglangKillsItselfOnceAChildHasFailed() {
    var failed =
        failed(
                "[2026-02-25 18:08:45 TP3] Scheduler hit an exception: " + TRACEBACK,
                FRAME,
                "RuntimeError: NCCL error: remote process exited or there was a network error",
                "[2026-02-25 18:08:45] Received sigquit from a child process. It usually means the child failed.",
                "Killed")
            .orElseThrow();
    assertThat(failed.failureClass()).isEqualTo(FailureClass.NETWORK);
  }

  @Test
  void readsATracebackOfSglangsScheduler() {
    var failed =
        failed(
                "[2025-03-09 00:57:15 TP4] Scheduler hit an exception: " + TRACEBACK,
                FRAME,
                "    self.event_loop()",
                "RuntimeError: CUDA error: an illegal memory access was encountered",
                "",
                "[2025-03-09 00:57:20] Received sigquit from a child process. It usually means the child failed.",
                "Killed")
            .orElseThrow();
    assertThat(failed.failureClass()).isEqualTo(FailureClass.EXCEPTION);
    assertThat(failed.observed()).contains("an illegal memory access");
  }

  @Test
  void takesNoOtherLineForAnExceptionOfAnOddName() {
    assertThat(failed("step 12", "TrainState: step 12", "step 13")).isEmpty();
    assertThat(
            failed("step 12", TRACEBACK, FRAME, "    loss = model.Forward(batch)", "Loading: 5 %")
                .map(Finding::summary))
        .isEmpty();
  }

  @Test
  void tellsThatTheLogEndsInATraceback() {
    assertThat(failed("step 12", TRACEBACK, FRAME, "    loss.backward()").orElseThrow().observed())
        .contains("an exception: the log ends before its name", "train.py:81 in step");
    assertThat(failed("step 12", TRACEBACK, FRAME, "    loss.backward()", "step 13")).isEmpty();
    assertThat(failed("step 12", "Exception ignored in: <f>", TRACEBACK, FRAME)).isEmpty();
  }

  @Test
  void namesTheRankOfAnExceptionOfAnOddName() {
    var failed =
        failed(
                "step 12",
                "[rank3]: " + TRACEBACK,
                "[rank3]: " + FRAME,
                "[rank3]:     batch = queue.get()",
                "[rank3]: queue.Full")
            .orElseThrow();
    assertThat(failed.ranks()).containsExactly(3);
  }

  @Test
  void namesNobodyWhoSpeaksOfAnother() {
    var jax =
        failed(
                "step 12",
                "F0926 17:26:32.075587  157988 client.h:77] Terminating process because the JAX distributed service detected fatal errors. This most likely indicates that another task died; see the other task logs for more details.")
            .orElseThrow();
    assertThat(jax.ranks()).isEmpty();
    assertThat(jax.severity()).isEqualTo(Severity.CRITICAL);

    var timedOut =
        failed(
                "[rank0]:[E1001 15:00:00.685563243 ProcessGroupNCCL.cpp:685] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=3, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=1000) ran for 1001 milliseconds before timing out.",
                "[rank0]:[E1001 15:00:00.785563243 ProcessGroupNCCL.cpp:758] [Rank 0] To avoid data inconsistency, we are taking the entire process down.",
                "[rank0]:[E1001 15:00:00.885563243 ProcessGroupNCCL.cpp:2086] [PG ID 0 PG GUID 0(default_pg) Rank 0] Process group watchdog thread terminated with exception: [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=3, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=1000) ran for 1001 milliseconds before timing out.",
                "E1001 15:00:01.201000 4120 torch/distributed/elastic/multiprocessing/api.py:874] failed (exitcode: -6) local_rank: 0 (pid: 4132) of binary: /usr/bin/python3")
            .orElseThrow();
    assertThat(timedOut.ranks()).isEmpty();
  }

  @Test
  void takesWhatPassedTestsProvokedForNothing() {
    var provoked =
        List.of(
            "tests/test_faults.py::test_sigkill_of_one_worker",
            "E1001 15:00:31.201000 4120 torch/distributed/elastic/multiprocessing/api.py:874] failed (exitcode: -9) local_rank: 1 (pid: 4132) of binary: /usr/bin/python3",
            "[rank0]:[E1001 15:00:00.685563243 ProcessGroupNCCL.cpp:685] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=3, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=1000) ran for 1001 milliseconds before timing out.");

    assertThat(ended(provoked, "===== 14 passed, 1 warning in 162.38s (0:02:42) =====")).isEmpty();
    assertThat(ended(provoked, "===== 1 failed, 13 passed in 162.38s (0:02:42) ====="))
        .containsExactlyInAnyOrder(FindingKind.JOB_FAILED, FindingKind.HANG);
  }

  private static List<FindingKind> ended(List<String> lines, String last) {
    var all = new ArrayList<>(lines);
    all.add(last);
    return Recorded.of(Map.of("ci.log", all)).judged().findings().stream()
        .map(Finding::kind)
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "./run.sh: line 40: 4711 Killed                  nvidia-smi -l 1 > \"$TRAIN_DIR/gpu.csv\" | monitor",
        "./run.sh: line 41: 4712 Killed                  tail -f \"$TRAIN_CMD_LOG\" | tail",
        "./run.sh: line 42: 4713 Killed                  rsync \"$CMD\" host: | copy",
        "./run.sh: line 43: 4714 Killed                  \"$MONITOR_CMD\" | other variable",
        "run.sh: line 9: 51 Killed                  tensorboard --logdir runs | end of a helper",
        "# Segmentation fault workaround: see the wiki | comment of a script",
        "# Killed | heading",
        "run.sh: 行 9: 51 已杀死                  tensorboard --logdir runs | end of a helper",
        "已杀死进程 51 | what a script says of its own",
        "行 9: 51 | a place",
        "vim: can't open file 'train.py': [Errno 2] No such file or directory | another program",
        "/usr/bin/python3: No module named pip | a script that asks",
        "python: loading train.py | another line of its",
        "kernels.cu:7: gather: block: [0,0,0], thread: [1,0,0] Assertion `i < n` failed. | a GPU's, which raises an exception",
        "we saw: Assertion `i < n' failed. | no place",
        "the run before ended with train: a.cc:7: f: Assertion `i < n' failed. | prose",
        "Signal handler for SIGTERM received by PID 7 is set | no signal",
        "Received as in a telegraphic message from the President | generated prose",
      })
  void takesNothingElseForADeath(String line, String why) {
    assertThat(failed("step 12", line)).as(why).isEmpty();
  }

  /// A test of an assertion runs it in a process of its own; a script does without a helper.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "queue_test: src/queue.cc:71: void Queue::push(int): Assertion `size < capacity' failed.",
        "python: can't open file 'notify.py': [Errno 2] No such file or directory",
      })
  void aProcessThatEndsIsNoDeathWhereTheProgramGoesOn(String line) {
    var lines = new ArrayList<>(List.of("step 12", line));
    requests(lines, 70);
    assertThat(failed(lines.toArray(String[]::new))).isEmpty();

    var trained = new ArrayList<>(List.of("step 12", line));
    for (int step = 20; step < 40; step++) {
      trained.add(" 10%%|█         | %d/200 [00:%d<09:00,  3.00s/it]".formatted(step, step));
    }
    assertThat(failed(trained.toArray(String[]::new))).isEmpty();
  }

  @Test
  void readsWhatMxnetRaisesBelowPython() {
    var failed =
        failed(
                "step 12",
                TRACEBACK,
                FRAME,
                "    mx.nd.waitall()",
                "mxnet.base.MXNetError: Traceback (most recent call last):",
                "  File \"../src/storage/./pooled_storage_manager.h\", line 187",
                "MXNetError: Memory allocation failed out of memory")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.GPU_OUT_OF_MEMORY);
    assertThat(failed.observed()).contains("/workspace/train.py:81 in step");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RuntimeError: One of the subprocesses has abruptly died during map operation.To debug the error, disable multiprocessing. | OUT_OF_MEMORY",
        "concurrent.futures.process.BrokenProcessPool: A process in the process pool was terminated abruptly while the future was running or pending. | OUT_OF_MEMORY",
        "RuntimeError: DataLoader worker (pid(s) 77, 78) exited unexpectedly | OUT_OF_MEMORY",
        "ValueError: batch is empty | EXCEPTION",
      })
  void memorysKillerExplainsALostChildAlone(String exception, FailureClass expected) {
    var failed =
        failed(
                "step 12",
                TRACEBACK,
                FRAME,
                exception,
                "slurmstepd-gpu7: error: Detected 2 oom_kill events in StepId=77.batch. Some of the step tasks have been OOM Killed.")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(expected);
    assertThat(failed(TRACEBACK, FRAME, exception).orElseThrow().failureClass())
        .isEqualTo(FailureClass.EXCEPTION);
  }

  /// As Lightning's batch size finder does; on its way out of a failure a program may say that it
  /// is done as well.
  @Test
  void isNoneWhereTheCompilerGivesUpOnAFunction() {
    var dynamo = "[2023-11-29 11:04:57,788] torch._dynamo.convert_frame: [WARNING] ";
    var newer = "W1120 20:37:45.017000 10209 torch/_dynamo/convert_frame.py:844] [1/0] ";
    for (var prefix : List.of(dynamo, newer)) {
      var ended =
          failed(
                  prefix + TRACEBACK,
                  prefix + FRAME,
                  prefix + "FileNotFoundError: [Errno 2] No such file or directory: 'ldconfig'",
                  "TERM_RUNLIMIT: job killed after reaching LSF run time limit.")
              .orElseThrow();

      assertThat(ended.failureClass()).isEqualTo(FailureClass.TIME_LIMIT);
    }
  }

  /// Its summary comes before the table that names the rank.
  @Test
  void takesTheWatchdogsWordBeforeTorchrunsSummary() {
    var caught =
        "[Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1454, OpType=_ALLGATHER_BASE, NumelIn=8, NumelOut=16, Timeout(ms)=600000) ran for 600053 milliseconds before timing out.";
    var torchrun =
        List.of(
            "W0118 16:05:28.177000 641 site-packages/torch/distributed/elastic/multiprocessing/api.py:897] Sending process 660 closing signal SIGTERM",
            "E0118 16:05:34.231000 641 site-packages/torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: -6) local_rank: 0 (pid: 659) of binary: /opt/venv/bin/python3.10",
            TRACEBACK,
            "  File \"/opt/venv/bin/torchrun\", line 7, in <module>",
            "    raise ChildFailedError(",
            "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
            "Root Cause (first observed failure):",
            "[0]:",
            "  time      : 2026-01-18_16:05:28",
            "  host      : worker-0",
            "  rank      : 0 (local_rank: 0)",
            "  exitcode  : -6 (pid: 659)");
    var watchdog =
        Stream.of(
            "step 12",
            "[rank0]:[E118 16:05:23.739761196 ProcessGroupNCCL.cpp:616] " + caught,
            "terminate called after throwing an instance of 'c10::DistBackendError'",
            "  what():  [PG ID 0 PG GUID 0(default_pg) Rank 0] Process group watchdog thread terminated with exception: "
                + caught);

    assertThat(
            failed(Stream.concat(watchdog, torchrun.stream()).toArray(String[]::new))
                .orElseThrow()
                .failureClass())
        .isEqualTo(FailureClass.NCCL);

    var raised = Stream.of("step 12", TRACEBACK, FRAME, "KeyError: 'lr'");
    assertThat(
            failed(Stream.concat(raised, torchrun.stream()).toArray(String[]::new))
                .orElseThrow()
                .summary())
        .contains("KeyError");
  }

  /// Errors of two starts are in one file, and the second one was interrupted.
  @Test
  void takesNoErrorOfAStartBefore() {
    var launcher = "  File \"/work/launch.py\", line 41, in <module>";
    var died = List.of(TRACEBACK, launcher, FRAME, "KeyError: 'WORLD_SIZE'");
    var ranks =
        List.of(
            "Loading extension module fused_adam...",
            "[rank0]: " + TRACEBACK,
            "[rank0]:   File \"/work/train.py\", line 34, in <module>",
            "[rank0]: KeyboardInterrupt");
    var interrupted = List.of(TRACEBACK, launcher, "KeyboardInterrupt");

    assertThat(failed(joined(died, ranks, interrupted)).orElseThrow().failureClass())
        .isEqualTo(FailureClass.STOPPED);
    // it may be the launcher's own failure that left the rank alone
    assertThat(failed(joined(died, ranks)).orElseThrow().summary()).contains("KeyError");
    // or that of a rank whose group never came up
    assertThat(failed(joined(died, interrupted)).orElseThrow().summary()).contains("KeyError");
    // or one that the program goes on after, and says so
    var within = List.of(TRACEBACK, FRAME, "KeyError: 'WORLD_SIZE'");
    assertThat(failed(joined(within, ranks, interrupted)).orElseThrow().summary())
        .contains("KeyError");
  }

  @SafeVarargs
  private static String[] joined(List<String>... parts) {
    var all = new ArrayList<String>();
    for (var part : parts) {
      all.addAll(part);
    }
    return all.toArray(String[]::new);
  }

  @ParameterizedTest
  @ValueSource(strings = {"train.py", "llamafactory-cli"})
  void refusesItsArgumentsUnderAnyName(String program) {
    assertThat(
            failed(
                    "usage: " + program + " [-h] --output_dir OUTPUT_DIR",
                    program + ": error: the following arguments are required: --output_dir")
                .orElseThrow()
                .failureClass())
        .isEqualTo(FailureClass.CONFIGURATION);
    assertThat(failed("step 12", program + ": error: cannot read the cache, using none")).isEmpty();
  }

  /// Two processes that end, each with an exception that Python ignores, in one file.
  @Test
  void isNoneWhereIgnoredTracebacksRunThroughEachOther() {
    var ignored = "1: Exception ignored in atexit callback: <function update at 0x7f952c49b7e0>";
    var begin = "1: " + TRACEBACK;
    var frame = "1: " + FRAME;
    var raised = "1: FileNotFoundError: [Errno 2] No such file or directory: 'autotune.pickle'";
    var ended = new String[] {ignored, begin, frame, ignored, begin, frame, raised, frame, raised};

    assertThat(
            failed(Stream.concat(Stream.of("1: step 12"), Stream.of(ended)).toArray(String[]::new)))
        .isEmpty();
  }

  @Test
  void isNoneWhereItTrainedOnAndWasDone() {
    var memory = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 5.12 GiB.";
    var done = "`Trainer.fit` stopped: `max_epochs=4` reached.";

    assertThat(failed("step 12 loss 2.5", memory, "step 13 loss 2.5", done)).isEmpty();
    assertThat(failed("step 12 loss 2.5", memory, done)).isNotEmpty();
  }

  @Test
  void takesTheRankThatMpirunNames() {
    var failed =
        failed(
                "gpu-a:1482:1482 [0] NCCL INFO Bootstrap : Using eno1:10.0.0.9<0>",
                "Failed: Cuda error allreduce.cu:107 'invalid device ordinal'",
                "mpirun detected that one or more processes exited with non-zero status, thus causing",
                "  Process name: [[34415,1],1]",
                "  Exit code:    1")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.CONFIGURATION);
    assertThat(failed.ranks()).containsExactly(1);
  }

  @Test
  void takesTheRankThatSlurmNamesForOneThatMemorysKillerEnded() {
    var failed =
        failed(
                "step 12",
                "slurmstepd: error: Detected 1 oom_kill event in StepId=90412.0. Some of the step tasks have been OOM Killed.",
                "srun: error: gpu12: task 9: Out Of Memory",
                "srun: error: gpu12: tasks 8,10-15: Aborted (core dumped)")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.OUT_OF_MEMORY);
    assertThat(failed.ranks()).containsExactly(9);
  }

  /// PyTorch's writer says where it stood, another program why.
  @Test
  void aFileThatPyTorchCouldNotWriteIsExplainedByAFullDisk() {
    var failed =
        failed(
                "[rank0]: " + TRACEBACK,
                "[rank0]: " + FRAME,
                "[rank0]: RuntimeError: [enforce fail at inline_container.cc:664] . unexpected pos 82591616 vs 82591504",
                "tee: /scratch/train.log: No space left on device")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.DISK_FULL);
    assertThat(failed.ranks()).containsExactly(0);
  }

  @Test
  void takesMpirunsRanksForNodesWhereTorchrunSpeaks() {
    var failed =
        failed(
                "E1121 09:01:36.953000 9 torch/distributed/elastic/multiprocessing/api.py:986] failed (exitcode: 1) local_rank: 5 (pid: 12) of binary: /usr/bin/python3",
                "  Process name: [[34415,1],1]",
                "  Exit code:    1")
            .orElseThrow();

    assertThat(failed.ranks()).containsExactly(5);
  }

  @Test
  void readsNcclsLastErrorInAnExceptionOfPyTorch() {
    var failed =
        failed(
                "[rank1]: " + TRACEBACK,
                "[rank1]: " + FRAME,
                "[rank1]: torch.distributed.DistBackendError: NCCL error in: a.cpp:1, unhandled cuda error (run with NCCL_DEBUG=INFO for details), NCCL version 2.26.2",
                "[rank1]: ncclUnhandledCudaError: Call to CUDA function failed.",
                "[rank1]: Last error:",
                "[rank1]: Cuda failure 2 'out of memory'")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.GPU_OUT_OF_MEMORY);
    assertThat(failed.ranks()).containsExactly(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Bootstrap : no socket interface found | CONFIGURATION | NCCL_SOCKET_IFNAME, which no line shows",
        "Error while creating shared memory segment /dev/shm/nccl-a1B2c3 (size 9637888) | CONFIGURATION | --shm-size",
        "Error while creating shared memory segment /dev/shm/nccl-a1B2c3 (size 9637888), error: No space left on device (28) | CONFIGURATION | --shm-size",
        "socketStartConnect: Connect to 10.0.4.51<41021> failed : No route to host | NETWORK | could not be reached",
      })
  void readsWhyNcclGaveUpBelowAnExceptionOfPyTorch(
      String words, FailureClass expected, String advice) {
    for (var prefix : List.of("[rank1]: ", "1: [rank1]: ", "")) {
      var failed =
          failed(
                  prefix + TRACEBACK,
                  prefix + FRAME,
                  prefix
                      + "torch.distributed.DistBackendError: NCCL error in: a.cpp:1, internal error - please report this issue to the NCCL developers, NCCL version 2.21.5",
                  prefix + "ncclInternalError: Internal check failed.",
                  prefix + "Last error:",
                  prefix + words)
              .orElseThrow();

      assertThat(failed.failureClass()).isEqualTo(expected);
      assertThat(failed.summary()).contains(words.substring(0, 30));
      assertThat(failed.cause()).contains(advice);
      assertThat(failed.ranks())
          .containsExactlyElementsOf(prefix.isEmpty() ? List.of() : List.of(1));
    }
  }

  @Test
  void namesTheVariableThatChoseAnInterfaceWhichIsNotThere() {
    var failed =
        failed(
                "w-1:502:502 [0] NCCL INFO NCCL_SOCKET_IFNAME set by environment to ens99",
                "[rank1]: " + TRACEBACK,
                "[rank1]: " + FRAME,
                "[rank1]: torch.distributed.DistBackendError: NCCL error in: a.cpp:1, internal error, NCCL version 2.21.5",
                "[rank1]: Last error:",
                "[rank1]: Bootstrap : no socket interface found")
            .orElseThrow();

    assertThat(failed.cause()).startsWith("NCCL_SOCKET_IFNAME=ens99 names an interface");
    assertThat(failed.summary()).contains("rank 1", "/workspace/train.py:81 in step");
  }

  @Test
  void takesWhatComesBehindOtherLastErrorsForNothing() {
    // nobody raised an error of NCCL's before
    assertThat(failed("Last error:", "Bootstrap : no socket interface found")).isEmpty();
    // no words: C++ says where it was
    assertThat(
            failed(
                    "[rank1]: " + TRACEBACK,
                    "[rank1]: " + FRAME,
                    "[rank1]: torch.distributed.DistBackendError: NCCL error in: a.cpp:1, internal error, NCCL version 2.21.5",
                    "[rank1]: Last error:",
                    "[rank1]: ",
                    "[rank1]: Connection refused by nobody")
                .orElseThrow()
                .failureClass())
        .isEqualTo(FailureClass.NCCL);
  }

  @Test
  void namesTheFirstRankAndNotTheLoudest() {
    var failed =
        failed(
                "[rank3]: " + TRACEBACK,
                "[rank3]: " + FRAME,
                "[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20 MiB.",
                "[rank0]: " + TRACEBACK,
                "[rank0]: " + FRAME,
                "[rank0]: torch.distributed.DistBackendError: NCCL error in: a.cpp:1, remote process exited or there was a network error, NCCL version 2.28.9",
                "E1121 09:01:36.953000 9 torch/distributed/elastic/multiprocessing/api.py:986] failed (exitcode: -6) local_rank: 0 (pid: 12) of binary: /usr/bin/python3")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.GPU_OUT_OF_MEMORY);
    assertThat(failed.ranks()).containsExactly(3);
  }

  @Test
  void blamesNobodyAloneForWhatAllRanksRaised() {
    var lines = new ArrayList<String>();
    for (int rank = 0; rank < 4; rank++) {
      lines.add("[rank%d]: %s".formatted(rank, TRACEBACK));
      lines.add("[rank%d]: KeyError: 'text'".formatted(rank));
    }

    assertThat(failed(lines.toArray(String[]::new)).orElseThrow().ranks())
        .containsExactly(0, 1, 2, 3);
  }

  @Test
  void readsTheLaunchersTable() {
    var failed =
        failed(
                "Root Cause (first observed failure):",
                "[0]:",
                "  time      : 2026-11-21_09:01:32",
                "  host      : gpu-7",
                "  rank      : 5 (local_rank: 1)",
                "  exitcode  : -9 (pid: 1030)",
                "  error_file: <N/A>",
                "  traceback : Signal 9 (SIGKILL) received by PID 1030")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.KILLED);
    assertThat(failed.ranks()).containsExactly(5);
    assertThat(failed.summary()).contains("SIGKILL", "gpu-7");
  }

  @Test
  void saysWhatTheRankRaisedWhoseEndSaysNothing() {
    var failed =
        failed(
                "[rank1]: Traceback (most recent call last):",
                "[rank1]:   File \"/app/train.py\", line 35, in main",
                "[rank1]:     dist.barrier()",
                "[rank1]: torch.distributed.DistBackendError: NCCL error in: NCCLUtils.cpp:77, remote process exited or there was a network error",
                "srun: error: n2: task 1: Exited with exit code 1",
                "slurmstepd: error: *** STEP 7.1 ON n1 CANCELLED AT 2026-11-21T09:00:00 ***",
                "srun: error: n1: task 0: Terminated")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.NETWORK);
    assertThat(failed.ranks()).containsExactly(1);
    assertThat(failed.summary()).contains("DistBackendError");
  }

  /// srun ends the step once a task has crashed; nobody asked for it.
  @Test
  void isNoRequestWhereATaskCrashedBefore() {
    var failed =
        failed(
                "[rank1]:[E511 09:19:31.551822310 ProcessGroupNCCL.cpp:1182] [Rank 1] Process group watchdog thread terminated with exception: NCCL error: remote process exited or there was a network error, NCCL version 2.19.3",
                "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.",
                "Last error:",
                "NET/IB : Got completion from peer 10.8.3.118<47002> with error 12, opcode 0, len 0, vendor err 129 (Recv)",
                "srun: error: n0119: task 1: Aborted (core dumped)",
                "srun: launch/slurm: _step_signal: Terminating StepId=77120.0",
                "slurmstepd: error: *** STEP 77120.0 ON n0118 CANCELLED AT 2026-05-11T09:19:35 ***")
            .orElseThrow();

    assertThat(failed.severity()).isEqualTo(Severity.CRITICAL);
    assertThat(failed.failureClass()).isEqualTo(FailureClass.NETWORK);
    assertThat(failed.ranks()).as("it may be its peer that is gone").isEmpty();
  }

  /// Slurm's daemon speaks of much.
  @Test
  void isNothingThatSlurmsDaemonOnlyMentions() {
    assertThat(failed("step 12", "slurmstepd: error: couldn't chdir to `/home/x'")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "slurmstepd: error: *** STEP 7.0 ON n1 CANCELLED AT 2026-11-21T09:00:00 DUE TO TIME LIMIT *** | TIME_LIMIT",
        "0: slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-11-21T09:00:00 DUE TO PREEMPTION *** | STOPPED",
        "W1121 09:00:40.000000 157 torch/distributed/elastic/agent/server/api.py:739] Received 15 death signal, shutting down workers | STOPPED",
        "Detected KeyboardInterrupt, attempting graceful shutdown ... | STOPPED",
        "[2025-08-15 08:42:11,420] [INFO] [launch.py:328:sigkill_handler] Main process received SIGINT, exiting | STOPPED",
        "TERM_RUNLIMIT: job killed after reaching LSF run time limit. | TIME_LIMIT",
        "TERM_OWNER: job killed by owner. | STOPPED",
        "=>> PBS: job killed: walltime 3610 exceeded limit 3600 | TIME_LIMIT",
        "Job exceeded its walltime limit. Job was aborted | TIME_LIMIT",
      })
  void isNoFaultWhereTheEndWasAskedFor(String line, FailureClass expected) {
    var failed = failed("step 12", line).orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(expected);
    assertThat(failed.severity()).isEqualTo(Severity.INFO);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "srun: error: n1: task 7: Exited with exit code 1 | UNKNOWN | 7",
        "slurmstepd: error: pyxis: container start failed with error code: 1 | CONFIGURATION | ",
        "jaxlib.xla_extension.XlaRuntimeError: INTERNAL: xla/nccl_utils.cc:275: NCCL operation ncclCommInitRank(&comm, n, id, r) failed: internal error | NCCL | ",
        "TERM_MEMLIMIT: job killed after reaching LSF memory usage limit. | OUT_OF_MEMORY | ",
        "=>> PBS: job killed: mem 67121152kb exceeded limit 67108864kb | OUT_OF_MEMORY | ",
        "srun: error: Application launch failed: Socket timed out on send/recv operation | UNKNOWN | ",
        "[2026-11-21 03:17:53,592] [INFO] [launch.py:318:sigkill_handler] Killing subprocess 1439 | UNKNOWN | ",
        "srun: error: n1: task 3: Segmentation fault (core dumped) | SEGFAULT | 3",
        "mpirun noticed that process rank 2 with PID 77 on node n1 exited on signal 9 (Killed). | KILLED | 2",
        "mpirun noticed that process rank 2 with PID <pid> on node n1 exited on signal 9 (Killed). | KILLED | 2",
        "Primary job  terminated normally, but 1 process returned | UNKNOWN | ",
        "but OMPI was not built with SLURM's PMI support and therefore cannot | CONFIGURATION | ",
        "but OMPI was not built with SLURM support. This usually happens | CONFIGURATION | ",
        "Open MPI requires access to a local PMIx server to execute. Please ensure | CONFIGURATION | ",
        "INTERNAL: NCCL operation ncclGroupEnd() failed: unhandled system error. Last NCCL warning(error) log entry (may be unrelated) 'x'. | NCCL | ",
        "INTERNAL: xla/nccl_utils.cc:30: NCCL operation ncclCommInitRank(&comm, n, id, r) failed: unhandled cuda error. Last NCCL warning(error) log entry (may be unrelated) 'Cuda failure 'out of memory''. | GPU_OUT_OF_MEMORY | ",
        "2026-09-01 10:20:11.257981: E xla/pjrt/client.cc:25] Execution of replica 3 failed: INTERNAL: NCCL operation ncclGroupEnd() failed: internal error | NCCL | ",
        "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm). | OUT_OF_MEMORY | ",
        "ERROR: Unexpected segmentation fault encountered in worker. | SEGFAULT | ",
        "AlgorithmError: ExecuteUserScriptError: Command \"python train.py\" Traceback (most recent call last): CalledProcessError: returned non-zero exit status 1. | EXCEPTION | ",
        "AlgorithmError: See job logs for more information | EXCEPTION | ",
        "Loading checkpoint shards:  57% 4/7 [00:37<00:28,  9.42s/it]ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -9) local_rank: 1 (pid: 8180) of binary: /usr/bin/python3 | KILLED | 1",
        "ERROR:composer.cli.launcher:Rank 1 crashed with exit code -11. | SEGFAULT | 1",
        "[ 812.1] Memory cgroup out of memory: Killed process 7077 (python3) total-vm:1kB | OUT_OF_MEMORY | ",
        "[rank: 4] Child process with PID 320505 terminated with code 1. Forcefully terminating all other processes | UNKNOWN | 4",
        "CUDA out of memory. Tried to allocate 56.00 MiB. GPU CUDA out of memory. | GPU_OUT_OF_MEMORY | ",
        "worker-1: rank 3 died from signal 11 and dumped core | SEGFAULT | 3",
        "worker-1: rank 2 exited with code 1 | UNKNOWN | 2",
        "  Exit code:    3 | UNKNOWN | ",
        "worker-1: Test NCCL failure common.cu:1158 'internal error' | NCCL | ",
        " .. worker-1 pid 10366: Test failure common.cu:1000 | UNKNOWN | ",
        "Failed, NCCL error main.cu:46 'internal error' | NCCL | ",
        "NCCL error main.cu:46: internal error - please report this issue to the NCCL developers | NCCL | ",
        "train_bash.py: error: argument --stage: invalid choice: 'x' | CONFIGURATION | ",
        "train.py: error: the following arguments are required: --data | CONFIGURATION | ",
      })
  void readsLaunchersAndKernels(String line, FailureClass expected, String rank) {
    var failed = failed("step 12", line).orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(expected);
    assertThat(failed.ranks())
        .isEqualTo(rank == null ? List.of() : List.of(Integer.parseInt(rank)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INTERNAL: Autotuning failed for HLO: no algorithm worked",
        "INTERNAL: NCCL operation ncclGroupEnd() took 12 s",
        "with errorcode 1.",
        "  Errorcode: 3",
        "loss 57% 4/7 [00:37<00:28,  9.42s/it]done",
        "CUDA error: initialization error (ignored)",
        "application called MPI_Abort(MPI_COMM_WORLD, 0) - process 2",
        "# Note: KeyError: may be raised by old versions",
        "ERROR: nhc: Health check failed: check_hw_ib: No IB port mlx5_ib7:1 is ACTIVE (LinkUp 400 Gb/sec).",
        "2021-03-04 10:11:12.131415: W tensorflow/core/common_runtime/base_collective_executor.cc:217] BaseCollectiveExecutor::StartAbort Out of range: End of sequence",
        "*** SIGUSR1 received by PID 7620 (TID 7620) on cpu 17 from PID 7408; stack trace: ***",
        "*** Starting training, PID 7408 ***",
        "    Message:               PyTorchJob llama is running.",
        "The docs say that OMPI was not built with SLURM support here",
      })
  void knowsWhatOnlyLooksLikeTheirWords(String line) {
    assertThat(failed("step 12", line)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "MPI_COMM_WORLD | with errorcode 3. | 2",
        "MPI COMMUNICATOR 5 DUP FROM 0 | with errorcode 3. | 2",
        "MPI_COMM_WORLD | '  Errorcode: 3' | 2",
        "MPI COMMUNICATOR 4 SPLIT FROM 0 | with errorcode 3. | ",
      })
  void whoCalledMpiAbortEndedTheJob(String communicator, String code, String rank) {
    var failed =
        failed("step 12", "MPI_ABORT was invoked on rank 2 in communicator " + communicator, code)
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.UNKNOWN);
    assertThat(failed.ranks()).isEqualTo(rank == null ? List.of() : List.of(2));
  }

  @Test
  void mpiAbortWithoutAnErrorIsHowSomeProgramsEnd() {
    assertThat(
            failed(
                "step 12",
                "MPI_ABORT was invoked on rank 0 in communicator MPI_COMM_WORLD",
                "with errorcode 0."))
        .isEmpty();
  }

  /// The program's way out comes behind why it ends.
  @Test
  void ncclTestsEndOfWhatTheySaidBefore() {
    var failed =
        failed(
                "worker-1: Test NCCL failure common.cu:303 'remote process exited or there was a network error / '",
                " .. worker-1 pid 25146: Test failure common.cu:401",
                " .. worker-1 pid 25146: Test failure all_reduce.cu:90")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.NCCL);
    assertThat(failed.ranks()).isEmpty();
  }

  @Test
  void ofSlurmsJobsThatWroteOneFileTheLastOneCounts() {
    var first =
        List.of(
            "step 1",
            "E1120 20:30:39.754865 10 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 1) local_rank: 0 (pid: 7) of binary: python",
            "slurmstepd: error: *** JOB 71 ON gpu-5 CANCELLED AT 2026-08-21T01:58:58 ***");
    var second =
        List.of("slurmstepd: error: *** JOB 72 ON gpu-5 CANCELLED AT 2026-08-21T02:33:05 ***");

    assertThat(failed(first.toArray(String[]::new)).orElseThrow().failureClass())
        .isEqualTo(FailureClass.UNKNOWN);
    assertThat(
            failed(Stream.concat(first.stream(), second.stream()).toArray(String[]::new))
                .orElseThrow()
                .failureClass())
        .isEqualTo(FailureClass.STOPPED);
  }

  @Test
  void anAsynchronousErrorOfNcclIsReported() {
    var line =
        "[rank1]:[E1120 13:23:05.483840160 ProcessGroupNCCL.cpp:542] [Rank 12] Collective WorkNCCL(SeqNum=1, OpType=BROADCAST, NumelIn=7, NumelOut=7, Timeout(ms)=1800000) raised the following async exception: NCCL error: remote process exited or there was a network error, NCCL version 2.21.5";

    assertThat(Recorded.of(Map.of("job.log", List.of("step 12", line))).judged().findings())
        .extracting(Finding::kind)
        .contains(FindingKind.NCCL_ERROR, FindingKind.JOB_FAILED);
  }

  @Test
  void saysWhatTheKillerSaysOfTheMemory() {
    var failed =
        failed(
                "step 12",
                "/var/spool/slurmd/job7/slurm_script: line 46: 2113 Killed                  python3 train.py",
                "slurmstepd: error: Detected 1 oom_kill event in StepId=7.batch. Some of the step tasks have been OOM Killed.")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.OUT_OF_MEMORY);
    assertThat(failed.evidence()).extracting(Evidence::text).anyMatch(it -> it.contains("Killed "));
  }

  @Test
  void anEndOfWhichDeepSpeedsLauncherSaysMoreIsNotTheKillingOfTheOthers() {
    var failed =
        failed(
                "step 12",
                "[2026-11-21 03:17:53,592] [INFO] [launch.py:318:sigkill_handler] Killing subprocess 1439",
                "[2026-11-21 03:17:53,592] [ERROR] [launch.py:324:sigkill_handler] ['python', 'train.py'] exits with return code = -9")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.KILLED);
  }

  /// Two agents wrote their tables into one log, the later one first.
  @Test
  void takesTheProcessThatEndedFirstByTheTablesOwnTimes() {
    var failed =
        failed(
                "[3]:",
                "  time      : 2026-11-21_22:45:52",
                "  host      : gpu-1",
                "  rank      : 3 (local_rank: 3)",
                "  exitcode  : 1 (pid: 19418)",
                "Root Cause (first observed failure):",
                "[0]:",
                "  time      : 2026-11-21_22:45:52",
                "  host      : gpu-1",
                "  rank      : 0 (local_rank: 0)",
                "  exitcode  : 1 (pid: 19414)",
                "Root Cause (first observed failure):",
                "[0]:",
                "  time      : 2026-11-21_22:45:01",
                "  host      : gpu-2",
                "  rank      : 4 (local_rank: 0)",
                "  exitcode  : 1 (pid: 19401)")
            .orElseThrow();

    assertThat(failed.ranks()).containsExactly(4);
  }

  /// vLLM's server misses the engine that was asked to end; an engine that failed is another thing.
  @Test
  void aServerThatWasAskedToEndIsStopped() {
    var asked =
        "(EngineCore pid=300) INFO 08-01 23:37:28 [core.py:1214] [shutdown] EngineCore: trigger received signal=SIGTERM";
    var missed =
        new String[] {
          "(APIServer pid=299) ERROR 08-01 23:37:28 [async_llm.py:704] " + TRACEBACK,
          "(APIServer pid=299) ERROR 08-01 23:37:28 [async_llm.py:704]   File \"/opt/vllm/v1/engine/core_client.py\", line 1061, in get_output_async",
          "(APIServer pid=299) ERROR 08-01 23:37:28 [async_llm.py:704] vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace (above) for the root cause."
        };
    var failure =
        "(EngineCore pid=300) ERROR 08-01 23:37:27 [core.py:866] EngineCore encountered a fatal error.";

    var stopped = failed("step 12", asked, missed[0], missed[1], missed[2]).orElseThrow();
    var died = failed("step 12", failure, asked, missed[0], missed[1], missed[2]).orElseThrow();

    assertThat(stopped.failureClass()).isEqualTo(FailureClass.STOPPED);
    assertThat(stopped.severity()).isEqualTo(Severity.INFO);
    assertThat(died.severity()).isEqualTo(Severity.CRITICAL);
  }

  @Test
  void aServiceThatTheKernelKillsIsNoDeathOfAJob() {
    assertThat(
            failed(
                "step 12",
                "[Sat Nov 21 08:01:01 2026] Memory cgroup out of memory: Killed process 8123 (fluent-bit) total-vm:312044kB"))
        .isEmpty();
  }

  @Test
  void namesTheGpuThatHungAndNotTheAbortAfterIt() {
    var failed =
        failed(
                "step 12",
                "HW Exception by GPU node-9 (Agent handle: 0x631351bb5a20) reason :GPU Hang",
                "Aborted (core dumped)")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.GPU_ERROR);
  }

  /// Kernels of all ranks end when one link breaks, and who prints first is chance.
  @Test
  void namesTheLinkThatBrokeAndNotTheKernelsThatEndedWithIt() {
    var failed =
        failed(
                "step 12",
                "[rank0]: " + TRACEBACK,
                "[rank0]: torch.AcceleratorError: CUDA error: unspecified launch failure",
                "[rank4]: " + TRACEBACK,
                "[rank4]: torch.AcceleratorError: CUDA error: Invalid access of peer GPU memory over nvlink or a hardware error")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.GPU_ERROR);
    assertThat(failed.ranks()).containsExactly(4);
  }

  @Test
  void takesTheCrashOfAProcessThatIsTakenDownForNoCause() {
    var failed =
        failed(
                "[rank0]:[E722 08:55:15.724116323 ProcessGroupNCCL.cpp:1605] [PG ID 0 PG GUID 0(default_pg) Rank 0] Process group watchdog thread terminated with exception: NCCL error: remote process exited or there was a network error, NCCL version 2.22.3",
                "terminate called after throwing an instance of 'c10::DistBackendError'",
                "  what():  [PG ID 0 PG GUID 0(default_pg) Rank 0] Process group watchdog thread terminated with exception: NCCL error: remote process exited or there was a network error, NCCL version 2.22.3",
                "[worker-0:1 :0:98] Caught signal 11 (Segmentation fault: Sent by the kernel at address (nil))")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.NETWORK);
    assertThat(failed.ranks()).as("who says so lost a peer").isEmpty();
  }

  @Test
  void doesNotTakeARequestToEndForTheCauseOfAFailureBeforeIt() {
    var failed =
        failed(
                "[rank1]: " + TRACEBACK,
                "[rank1]: ValueError: bad batch",
                "E1121 09:00:39.000000 9 torch/distributed/elastic/multiprocessing/api.py:986] failed (exitcode: 1) local_rank: 1 (pid: 12) of binary: /usr/bin/python3",
                "W1121 09:00:40.000000 157 torch/distributed/elastic/agent/server/api.py:739] Received 15 death signal, shutting down workers")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.EXCEPTION);
    assertThat(failed.ranks()).containsExactly(1);
  }

  @Test
  void takesWhatNcclSaysForTheReasonOfAnEndWithoutWords() {
    var failed =
        failed(
                "[2026-11-21 09:00:00] pod-0:188:188 [0] bootstrap.cc:84 NCCL WARN Bootstrap : no socket interface found",
                "E1121 09:00:04.202000 9 torch/distributed/elastic/multiprocessing/api.py:986] failed (exitcode: 1) local_rank: 0 (pid: 188) of binary: /usr/bin/python3")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.CONFIGURATION);
    assertThat(failed.cause()).contains("NCCL_SOCKET_IFNAME");
  }

  @Test
  void aTracebackThatWasCaughtIsNoDeath() {
    var lines = new ArrayList<>(List.of(TRACEBACK, FRAME, "wandb.errors.CommError: timed out"));
    for (int step = 0; step < 20; step++) {
      lines.add(
          " 10%%|█         | %d/200 [00:%02d<09:00,  3.00s/it]".formatted(step + 20, step + 20));
    }

    assertThat(failed(lines.toArray(String[]::new))).isEmpty();
  }

  @Test
  void whatPythonIgnoresIsNoDeath() {
    assertThat(
            failed(
                "Exception ignored in: <function DataLoader.__del__ at 0x7f2a>",
                TRACEBACK,
                FRAME,
                "TypeError: 'NoneType' object is not callable"))
        .isEmpty();
  }

  @Test
  void anExceptionInTheThreadThatWritesForTensorBoardIsNoDeath() {
    assertThat(
            failed(
                "step 12",
                "Exception in thread Thread-1:",
                "Exception in thread Thread-3:",
                "",
                TRACEBACK,
                TRACEBACK,
                "  File \"/opt/lib/python3.10/site-packages/tensorboardX/event_file_writer.py\", line 202, in run",
                "  File \"/opt/lib/python3.10/site-packages/tensorboardX/event_file_writer.py\", line 202, in run",
                "OSError: handle is closed",
                "OSError: handle is closed"))
        .isEmpty();
  }

  /// It tries kernels that may not fit.
  @Test
  void whatTheAutotunerCannotCompileIsNoDeath() {
    var logged =
        "[rank1]:E1127 21:37:13.608000 2961 torch/_inductor/select_algorithm.py:3541] [0/0] ";
    var tuner =
        "  File \"/opt/site-packages/torch/_inductor/select_algorithm.py\", line 3529, in precompile";
    var raised =
        "RuntimeError: No valid triton configs. OutOfMemoryError: out of resource: triton_mm Required: 262144 Hardware limit:232448";

    assertThat(
            failed(
                "step 12",
                logged + TRACEBACK,
                logged
                    + "  File \"/usr/lib/python3.12/concurrent/futures/thread.py\", line 58, in run",
                logged + tuner,
                logged + raised))
        .isEmpty();
    assertThat(failed("step 12", TRACEBACK, FRAME, tuner, raised)).isPresent();
  }

  @ParameterizedTest
  @CsvSource({"10, true", "31, false"})
  void whoCallsLongAfterItsExceptionHasCaughtIt(int seconds, boolean dead) {
    var begun = Instant.parse("2026-11-20T20:42:26Z");
    var lines = new ArrayList<String>();
    for (int rank = 0; rank < 2; rank++) {
      lines.add(
          begun
              + " stdout F "
              + nccl(
                  rank,
                  "ncclCommInitRank comm 0x55d%1$d rank %1$d nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId 0x1 - Init COMPLETE"
                      .formatted(rank)));
      lines.add(begun.plusSeconds(2) + " stdout F " + call(rank));
    }
    var raised = begun.plusSeconds(5) + " stderr F [rank1]: ";
    lines.addAll(List.of(raised + TRACEBACK, raised + FRAME, raised + "ValueError: no such shard"));
    lines.add(begun.plusSeconds(5 + seconds) + " stdout F " + call(1));

    assertThat(failed(lines.toArray(String[]::new)).isPresent()).isEqualTo(dead);
  }

  /// A process that crashes does not say which rank it is. torchrun names pids.
  @ParameterizedTest
  @CsvSource({"-15, -11, 1", "-11, -15, 0", "-11, -11,", "-15, -15,"})
  void aCrashIsOfTheOnlyRankThatEndedInThatWay(int first, int second, @Nullable Integer rank) {
    var lines = new ArrayList<String>();
    for (int each = 0; each < 2; each++) {
      lines.add(
          nccl(
              each,
              "ncclCommInitRank comm 0x55d%1$d rank %1$d nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId 0x1 - Init COMPLETE"
                  .formatted(each)));
    }
    lines.add("Fatal Python error: Segmentation fault");
    var ended =
        "E1126 02:01:39.915000 45 torch/distributed/elastic/multiprocessing/api.py:882] failed (exitcode: %d) local_rank: %d (pid: %d) of binary: /opt/venv/bin/python";
    lines.add(ended.formatted(first, 0, 100));
    lines.add(ended.formatted(second, 1, 101));

    var failed = failed(lines.toArray(String[]::new)).orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.SEGFAULT);
    assertThat(failed.ranks()).isEqualTo(rank == null ? List.of() : List.of(rank));
  }

  /// All of it was pasted as one line.
  @Test
  void readsAStatementAfterTheOtherWhereLineFeedsAreLost() {
    var failed =
        failed(
                "[E ProcessGroupNCCL.cpp:455] Some NCCL operations have failed or timed out. Due to the asynchronous nature of CUDA kernels, subsequent GPU operations might run on corrupted/incomplete data. [E ProcessGroupNCCL.cpp:460] To avoid data inconsistency, we are taking the entire process down. terminate called after throwing an instance of 'std::runtime_error' what(): NCCL error: remote process exited or there was a network error, NCCL version 2.14.3")
            .orElseThrow();

    assertThat(failed.severity()).isEqualTo(Severity.CRITICAL);
    assertThat(failed.summary()).contains("process taken down");
  }

  /// What a program that classifies faults prints of its classes.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "               Segmentation fault (exitcode -11)        0.64      0.62      0.63       880",
        "         ncclSystemError: unhandled system error        0.63      0.61      0.62       750",
        "[0]:         CUDA out of memory        0.63      0.61      0.62       750",
      })
  void theNameOfARowOfNumbersIsNoDeath(String row) {
    assertThat(failed("step 12", "    precision    recall  f1-score   support", row)).isEmpty();
  }

  /// Requests posted to a queue pair that has failed are flushed, and the clock of the host that
  /// says so may be behind.
  @Test
  void namesTheRankWhoseAdapterGotNoAnswerAmongThoseThatWereFlushed() {
    var status =
        " %d NCCL WARN NET/IB: Got completion from peer 10.0.0.%d<40545> with status=%s opcode=IBV_WC_RDMA_WRITE(1) len=0 vendor_err=129 (Send) hca mlx5_4";
    var recorded =
        Recorded.of(
            Map.of(
                "job-node-0-0.log",
                List.of(
                    "[2026-07-07 18:31:24] n0:7:70 [7]" + init(7),
                    "[2026-07-07 18:31:24] n0:7:70 [7] transport/net_ib.cc:2271"
                        + status.formatted(1, 2, "IBV_WC_RETRY_EXC_ERR(12)").substring(2),
                    "srun: error: n0: task 0: Exited with exit code 1"),
                "job-node-1-0.log",
                List.of(
                    "[2026-07-07 18:31:21] n1:8:80 [0]" + init(8),
                    "[2026-07-07 18:31:21] n1:8:80 [0] transport/net_ib.cc:2271"
                        + status.formatted(1, 1, "IBV_WC_WR_FLUSH_ERR(5)").substring(2))));
    var findings = recorded.judged().findings();

    assertThat(findings)
        .filteredOn(finding -> finding.kind() == FindingKind.JOB_FAILED)
        .singleElement()
        .satisfies(
            failed -> {
              assertThat(failed.ranks()).containsExactly(7);
              assertThat(failed.failureClass()).isEqualTo(FailureClass.NETWORK);
              assertThat(failed.summary()).contains("IBV_WC_RETRY_EXC_ERR(12)");
            });
    assertThat(findings)
        .filteredOn(finding -> finding.kind() == FindingKind.NCCL_ERROR)
        .singleElement()
        .satisfies(error -> assertThat(error.ranks()).containsExactly(7));
  }

  /// The peers of an adapter whose port fell get no answer; it itself says why.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "NET/IB : mlx5_4:1 Got async event : port error",
        "NET/IB : mlx5_4:1 Got async error event: port error",
        "NET/IB : mlx5_4:1 async fatal event: local catastrophic error"
      })
  void namesTheRankWhosePortFellAmongThoseThatGotNoAnswer(String fell) {
    var unanswered =
        " transport/net_ib.cc:2061 NCCL WARN NET/IB: Got completion from peer 10.0.0.%d<40545> with status=12 opcode=129 len=0 vendor err 129 (Recv) hca mlx5_4";
    var findings =
        Recorded.of(
                Map.of(
                    "job-node-0-0.log",
                    List.of(
                        "n0:7:70 [7]" + init(7),
                        "n0:7:71 [7]" + unanswered.formatted(2),
                        "srun: error: n0: task 0: Exited with exit code 1"),
                    "job-node-1-0.log",
                    List.of(
                        "n1:8:80 [0]" + init(8),
                        "n1:8:81 [0] transport/net_ib.cc:87 NCCL WARN " + fell,
                        "n1:8:82 [0]" + unanswered.formatted(1))))
            .judged()
            .findings();

    assertThat(findings)
        .filteredOn(finding -> finding.kind() == FindingKind.JOB_FAILED)
        .singleElement()
        .satisfies(
            failed -> {
              assertThat(failed.ranks()).containsExactly(8);
              assertThat(failed.failureClass()).isEqualTo(FailureClass.NETWORK);
              assertThat(failed.summary()).contains(fell);
            });
  }

  private static String init(int rank) {
    return " NCCL INFO ncclCommInitRank comm 0x5581%04d rank %d nranks 16 cudaDev 0 nvmlDev 0 busId 1b000 commId 0x1 - Init COMPLETE"
        .formatted(rank, rank);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ValueError: is what you get if the config is wrong",
        "/usr/lib/python3/site-packages/x.py:3: UserWarning: Error in sys.excepthook",
        "Process exits successfully.",
        "[2026-11-21 09:00:00,000] [INFO] [launch.py:347:main] Process 4187 exits successfully.",
        "RuntimeWarning: invalid value encountered in divide",
      })
  void proseIsNoDeath(String line) {
    assertThat(failed("step 12", line)).isEmpty();
  }

  /// Bars that only carriage returns part end without one, and a paste loses those.
  @ParameterizedTest
  @ValueSource(strings = {"\r", ""})
  void readsWhatIsGluedToTheLastBar(String between) {
    var failed =
        failed(
            "99it [35:25,  5.94s/it]"
                + between
                + "100it [35:34,  7.00s/it]slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2022-10-13T04:10:12 ***");

    assertThat(failed.orElseThrow().failureClass()).isEqualTo(FailureClass.STOPPED);
  }

  /// Where the site wants stamps Slurm leaves its own name out; the step's line and the job's may
  /// be one.
  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      value = {
        "[2026-08-21T01:58:58.530] error: *** JOB 71 ON gpu-5 CANCELLED AT 2026-08-21T01:58:58 DUE TO PREEMPTION *** @ STOPPED",
        "45%|████▌     | 723/1602 [2:12:45<2:59:53, 12.28s/it][2026-08-21T01:58:58.530] error: *** STEP 71.0 ON gpu-5 CANCELLED [2026-08-21T01:58:58.531] error: *** JOB 71 ON gpu-5 CANCELLED AT 2026-08-21T01:58:58 DUE TO PREEMPTION *** @ STOPPED",
        "[2026-08-21T01:58:58.530] error: *** JOB 71 ON gpu-5 CANCELLED AT 2026-08-21T01:58:58 DUE TO TIME LIMIT *** @ TIME_LIMIT",
        "[2026-08-21T01:58:58.530] error: *** JOB 71 ON gpu-5 CANCELLED AT 2026-08-21T01:58:58 DUE to SIGNAL Terminated *** @ STOPPED",
        "slurmd[gpu-5]: *** JOB 71 CANCELLED AT 2014-08-21T01:58:58 DUE TO TIME LIMIT *** @ TIME_LIMIT",
        "slurmstepd: error: *** STEP 71.0 ON gpu-5 CANCELLED AT 2026-08-21T01:58:58 DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS *** @ NODE_LOST",
      })
  void readsWhoWantedTheEndBehindAStamp(String line, FailureClass failureClass) {
    assertThat(failed("step 12", line).orElseThrow().failureClass()).isEqualTo(failureClass);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[2026-08-21 01:58:58,530] error: *** all retries CANCELLED AT once ***",
        "error: *** STEP 71.0 ON gpu-5 CANCELLED ",
        "grep 'error: *** JOB .* CANCELLED AT' slurm.out",
      })
  void proseOfAnEndIsNone(String line) {
    assertThat(failed("step 12", line)).isEmpty();
  }

  /// TorchScript says first that something failed, then what.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Traceback of TorchScript (most recent call last): | RuntimeError: CUDA out of memory. Tried to allocate 40.00 MiB (GPU 3; 15.74 GiB total capacity) | GPU_OUT_OF_MEMORY",
        "Traceback of TorchScript, serialized code (most recent call last): | RuntimeError: The size of tensor a (4) must match the size of tensor b (5) | EXCEPTION",
        "Traceback of TorchScript, original code (most recent call last): | torch.jit.Error: CUDA error: uncorrectable ECC error encountered | GPU_ERROR",
      })
  void tellsWhatFailedInTorchScript(String header, String error, FailureClass failureClass) {
    var told =
        failed(
                "Traceback (most recent call last):",
                "  File \"train.py\", line 554, in main",
                "    y_pred = model(x)",
                "RuntimeError: The following operation failed in the TorchScript interpreter.",
                header,
                "  File \"/workspace/model.py\", line 35, in fused_add_tanh",
                "    in_act = input_a + input_b",
                "             ~~~~~~~~~~~~~~~~~ <--- HERE",
                error)
            .orElseThrow();

    assertThat(told.failureClass()).isEqualTo(failureClass);
    assertThat(told.observed()).startsWith(error.substring(error.startsWith("torch") ? 10 : 0, 30));
  }

  /// What NCCL prints of itself names no process: the launcher is all that is seen.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Converting format (num_proc=16): 100%|██████████| 91/91 [00:00<?, ? examples/s]",
        "Map: 100%|██████████| 91/91 [00:00<00:00, 812.31 examples/s]"
      })
  void namesTheProcessThatALauncherSawEnd(String bar) {
    var told =
        failed(
                "NCCL version 2.28.9+cuda12.9",
                bar
                    + "E0621 21:36:52.942000 2319283 site-packages/torch/distributed/elastic/multiprocessing/api.py:986] failed (exitcode: -11) local_rank: 2 (pid: 2319309) of binary: /opt/bin/python3.11")
            .orElseThrow();

    assertThat(told.failureClass()).isEqualTo(FailureClass.SEGFAULT);
    assertThat(told.ranks()).containsExactly(2);
  }

  @Test
  void aProgramThatCannotBeBoundIsConfiguration() {
    var told =
        failed(
                "2: libnuma: Warning: cpu argument 64-71 is out of range",
                "2: <0-7,64-71> is invalid",
                "srun: error: n7: task 2: Exited with exit code 1",
                "1: starting",
                "0: slurmstepd: error: *** STEP 71.0 ON n7 CANCELLED AT 2026-11-19T14:08:52 DUE TO TIME LIMIT ***",
                "srun: error: n7: tasks 0-1,3: Terminated")
            .orElseThrow();

    assertThat(told.failureClass()).isEqualTo(FailureClass.CONFIGURATION);
    assertThat(told.ranks()).containsExactly(2);
    assertThat(failed("step 12", "<a> is invalid", "<https://x> is invalid")).isEmpty();
  }

  /// Up to 2.19 NCCL names verbs' status a number. It had started, as the steps before tell.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "error 12, opcode 0, len 0, vendor err 129 (Recv)",
        "error 4, opcode 0, len 0, vendor err 81 (Send)"
      })
  void aPeerWhoseAdapterDoesNotAnswerIsTheNetwork(String status) {
    var findings =
        Recorded.of(
                Map.of(
                    "job.log",
                    List.of(
                        "iter 10: loss 3.4, time 500.1ms",
                        "iter 11: loss 3.4, time 500.1ms",
                        "iter 12: loss 3.4, time 500.1ms",
                        "worker-2:57:59 [0] transport/net_ib.cc:1296 NCCL WARN NET/IB : Got completion from peer 10.2.0.5<33092> with "
                            + status,
                        "worker-2:57:59 [0] NCCL INFO transport/net.cc:1134 -> 6",
                        "srun: error: worker-2: task 0: Aborted (core dumped)")))
            .judged()
            .findings();

    assertThat(findings)
        .filteredOn(finding -> finding.kind() == FindingKind.JOB_FAILED)
        .singleElement()
        .satisfies(failed -> assertThat(failed.failureClass()).isEqualTo(FailureClass.NETWORK));
    assertThat(findings)
        .filteredOn(finding -> finding.kind() == FindingKind.NCCL_ERROR)
        .singleElement()
        .satisfies(error -> assertThat(error.summary()).startsWith("NCCL warns: NET/IB"));
  }

  /// A server that answers on after a request with a fault.
  @Test
  void anExceptionAfterWhichTheProgramGoesOnIsNoDeath() {
    var lines = new ArrayList<String>();
    lines.addAll(List.of(TRACEBACK, FRAME, "ValueError: the request has too many tokens"));
    requests(lines, 70);

    assertThat(failed(lines.toArray(String[]::new))).isEmpty();
  }

  /// Hydra's job and Ray's worker are parts: the program may try the next one.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Error executing job with overrides: ['seed=1']",
        "A worker died or was killed while executing a task by an unexpected system error. RayTask ID: ffffffffffffffff0a Worker ID: 12",
        "The actor is dead because its worker process has died. Worker exit type: SYSTEM_ERROR Worker exit detail: no"
      })
  void aPartThatFailsIsNoDeathWhereTheProgramGoesOn(String words) {
    var lines = new ArrayList<String>();
    lines.addAll(List.of(words, TRACEBACK, FRAME, "ValueError: bad"));
    assertThat(failed(lines.toArray(String[]::new))).isPresent();

    requests(lines, 70);
    assertThat(failed(lines.toArray(String[]::new))).isEmpty();
  }

  /// Lines that no reader knows, one a minute.
  @Test
  void aProgramThatPrintsSeldomLivesIfItPrintsForLong() {
    var lines = new ArrayList<String>();
    lines.addAll(
        List.of(
            "Error executing job with overrides: ['seed=1']", TRACEBACK, FRAME, "ValueError: bad"));
    for (int minute = 5; minute < 15; minute++) {
      lines.add("[2026-08-27 15:%02d:47,672][swarm][INFO] - round began".formatted(minute));
    }
    assertThat(failed(lines.toArray(String[]::new))).isPresent();

    for (int minute = 15; minute < 30; minute++) {
      lines.add("[2026-08-27 15:%02d:47,672][swarm][INFO] - round began".formatted(minute));
    }
    assertThat(failed(lines.toArray(String[]::new))).isEmpty();
  }

  @Test
  void aKilledLoaderIsNoDeathWhereStepsGoOn() {
    var lines = new ArrayList<String>();
    lines.add(
        "[2026-11-17 09:19:15,101][loader.py:88][WARNING] rank 4: RuntimeError: DataLoader worker (pid 29281) is killed by signal: Killed. ");
    assertThat(failed(lines.toArray(String[]::new))).isPresent();

    for (int step = 610; step < 700; step += 10) {
      lines.add(
          "[2026-11-17 09:20:21,933][train.py:311][INFO] Train: 3 [ %d/2502 ( 24%%)]  Loss: 3.756 (3.81)  Time: 0.624s, 6721.34/s  (0.610s, 6714.75/s)  LR: 4.1e-04  Data: 0.013 (0.012)"
              .formatted(step));
    }
    assertThat(failed(lines.toArray(String[]::new))).isEmpty();
  }

  @Test
  void whatHcclSaysOfOthersBlamesNobody() {
    var failed =
        failed(
                "[rank1]: " + TRACEBACK,
                "[rank1]: " + FRAME,
                "[rank1]: RuntimeError: InnerRunOpApi:torch_npu/csrc/framework/OpParamMaker.cpp:281 OPS function error: HcclAllreduce, error code is 6",
                "[rank1]: [ERROR] 2025-04-08-18:07:20 (PID:129, Device:1, RankID:1) ERR01100 OPS call acl api failed.",
                "[rank1]: EI0006: [PID: 129] 2025-04-08-18:07:20.444.436 Getting socket times out. Reason: Remote Rank did not send the data in time.")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.NETWORK);
    assertThat(failed.ranks()).isEmpty();
  }

  @Test
  void aFewLastWordsAreNoLife() {
    var lines = new ArrayList<String>();
    lines.addAll(List.of(TRACEBACK, FRAME, "ValueError: the request has too many tokens"));
    lines.addAll(Collections.nCopies(20, "closing the workers"));
    for (int i = 0; i < 50; i++) {
      lines.add("frame #%d: c10::Error::Error(c10::SourceLocation) + 0x9d".formatted(i));
      lines.add("wandb: Run history: loss ▁▁▂");
    }

    assertThat(failed(lines.toArray(String[]::new))).isPresent();
  }

  @Test
  void whatTheProgramCatchesAgainAndAgainIsNoDeathAtTheEndEither() {
    var lines = new ArrayList<String>();
    for (int i = 0; i < 5; i++) {
      lines.addAll(List.of(TRACEBACK, FRAME, "ValueError: answer %d cannot be read".formatted(i)));
      requests(lines, 30);
    }

    assertThat(failed(lines.toArray(String[]::new))).isEmpty();
  }

  /// Another rank may be the one that goes on.
  @Test
  void aRankThatDiedIsDeadWhoeverGoesOn() {
    var lines = new ArrayList<String>();
    lines.addAll(List.of("[rank3]: " + TRACEBACK, "[rank3]: " + FRAME, "[rank3]: ValueError: no"));
    requests(lines, 200);

    assertThat(failed(lines.toArray(String[]::new)).orElseThrow().ranks()).containsExactly(3);
  }

  @Test
  void anExceptionInAHookAtTheEndIsNoDeath() {
    assertThat(
            failed(
                "step 12",
                "Error in atexit._run_exitfuncs:",
                TRACEBACK,
                LIBRARY,
                "OSError: [Errno 116] Stale file handle: '/nfs/tb/events.out'"))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0: :::MLLOG {\"namespace\": \"\", \"time_ms\": 1715114952285, \"event_type\": \"INTERVAL_END\", \"key\": \"run_stop\", \"value\": null, \"metadata\": {\"status\": \"success\"}}",
        "[1,0]<stdout>::::MLL 1582542308.215 run_stop: {\"value\": null, \"metadata\": {\"status\": \"success\", \"file\": \"fit.py\"}}"
      })
  void aLaunchersStepThatFailedBeforeTrainingSucceededIsNoDeath(String end) {
    assertThat(failed("srun: error: node1: task 0: Exited with exit code 1", "step 12", end))
        .isEmpty();
  }

  @Test
  void namesTheRankThatTheLauncherSawFirstAndNotSlurmsTask() {
    var failed =
        failed(
                "Root Cause (first observed failure):",
                "[0]:",
                "  time      : 2026-11-21_09:01:32",
                "  host      : gpu-7",
                "  rank      : 10 (local_rank: 2)",
                "  exitcode  : -6 (pid: 214033)",
                "  error_file: <N/A>",
                "  traceback : Signal 6 (SIGABRT) received by PID 214033",
                "srun: error: gpu-7: task 0: Exited with exit code 1")
            .orElseThrow();

    assertThat(failed.ranks()).containsExactly(10);
  }

  @Test
  void anActorWhoseWorkerDiedSaysNothingOfItsNode() {
    var failed =
        failed(
                TRACEBACK,
                FRAME,
                "ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.",
                "The actor is dead because its worker process has died. Worker exit type: SYSTEM_ERROR Worker exit"
                    + " detail: Worker unexpectedly exits with a connection error code 2. End of file.")
            .orElseThrow();

    assertThat(failed.failureClass()).isNotEqualTo(FailureClass.NODE_LOST);
  }

  /// Rank 1's host is 5 s ahead. It fails first, and says so 3 s later by its clock than rank 0,
  /// which leaves on its word.
  @Test
  void ordersFailuresByTheClockThatTheirCallsHaveMeasured() {
    double ahead = 5;
    var first = new ArrayList<String>();
    var second = new ArrayList<String>();
    for (int rank = 0; rank < 2; rank++) {
      (rank == 0 ? first : second)
          .add(
              stamped(
                  rank * ahead,
                  nccl(
                      rank,
                      "ncclCommInitRankConfig comm 0x55d%d rank %d nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId 0xabc - Init COMPLETE"
                          .formatted(rank, rank))));
    }
    for (int call = 0; call < 200; call++) {
      double at = 1 + 0.1 * call;
      first.add(stamped(at, call(0)));
      second.add(stamped(at + ahead + 0.001 * (call % 3), call(1)));
    }
    second.add(
        stamped(22 + ahead, "[rank1]: AttributeError: 'NoneType' object has no attribute 'x'"));
    first.add(stamped(24, "[rank0]: RuntimeError: a peer has reported a failure, leaving"));

    var failed =
        Recorded.of(Map.of("llama-node-0-0.log", first, "llama-node-0-1.log", second))
            .judged()
            .findings()
            .stream()
            .filter(finding -> finding.kind() == FindingKind.JOB_FAILED)
            .toList();

    assertThat(failed).singleElement().extracting(Finding::ranks).isEqualTo(List.of(1));
  }

  private static String stamped(double seconds, String line) {
    return Instant.parse("2026-11-21T09:00:00.000000001Z").plusNanos(Math.round(seconds * 1e9))
        + " stdout F "
        + line;
  }

  private static String call(int rank) {
    return nccl(
        rank,
        "AllReduce: opCount 0 sendbuff 0x7f0000000000 recvbuff 0x7f0000000000 count 4096 datatype 7 op 0 root 0 comm 0x55d%d [nranks=2] stream 0x5580"
            .formatted(rank));
  }

  private static String nccl(int rank, String message) {
    return "llama-node-0-%d:%d:%d [0] NCCL INFO %s"
        .formatted(rank, 100 + rank, 100 + rank, message);
  }

  private static void requests(List<String> lines, int count) {
    for (int i = 0; i < count; i++) {
      lines.add("INFO:     127.0.0.1:37728 - \"POST /v1/chat/completions HTTP/1.1\" 200 OK");
    }
  }

  private static final String INIT =
      "%1$s: %1$s:10%2$d:10%2$d [%2$d] NCCL INFO ncclCommInitRank comm 0x5%3$d rank %3$d nranks 4 cudaDev %2$d busId %2$d000 commId 0x77 - Init START";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB. GPU 1 has a total capacty of 79.11 GiB of which 2.31 GiB is free.",
        "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 1; 79.15 GiB total capacity; 70.01 GiB already allocated)"
      })
  void theGpuThatAFailureNamesIsOfItsHost(String words) {
    var failed =
        failed(
                INIT.formatted("worker-0", 0, 0),
                INIT.formatted("worker-0", 1, 1),
                INIT.formatted("worker-1", 0, 2),
                INIT.formatted("worker-1", 1, 3),
                "worker-1: Traceback (most recent call last):",
                "worker-1: " + words)
            .orElseThrow();

    assertThat(failed.ranks()).containsExactly(3);
  }

  /// DeepSpeed's launcher prints the command of the process that it started last.
  @Test
  void theCommandThatDeepSpeedsLauncherPrintsNamesNobody() {
    var failed =
        failed(
                INIT.formatted("worker-1", 0, 2),
                INIT.formatted("worker-1", 1, 3),
                "worker-1: [2026-11-21 03:17:53,592] [ERROR] [launch.py:324:sigkill_handler] ['python', 'train.py', '--local_rank=1'] exits with return code = -9")
            .orElseThrow();

    assertThat(failed.ranks()).isEmpty();
    assertThat(failed.failureClass()).isEqualTo(FailureClass.KILLED);
  }

  @Test
  void ofAnEndOfNobodyTheFirstWordsThatBlameNoOtherAreTold() {
    var failed =
        failed(
                "host-a: [rank0]: Traceback (most recent call last):",
                "host-a: [rank0]:   File \"/w/train.py\", line 5, in <module>",
                "host-a: [rank0]:     dist.new_group(ranks)",
                "host-a: [rank0]: torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.cpp:230, unhandled cuda error (run with NCCL_DEBUG=INFO for details), NCCL version 2.27.5",
                "host-a: [rank0]: ncclUnhandledCudaError: Call to CUDA function failed.",
                "host-a: [rank1]: Traceback (most recent call last):",
                "host-a: [rank1]:   File \"/w/train.py\", line 5, in <module>",
                "host-a: [rank1]:     dist.new_group(ranks)",
                "host-a: [rank1]: torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.cpp:230, remote process exited or there was a network error, NCCL version 2.27.5",
                "host-a: [2026-11-21 03:17:53,592] [ERROR] [launch.py:341:sigkill_handler] ['python', 'train.py', '--local_rank=3'] exits with return code = 1")
            .orElseThrow();

    assertThat(failed.failureClass()).isEqualTo(FailureClass.NCCL);
    assertThat(failed.summary()).contains("unhandled cuda error");
  }

  @Test
  void withoutAHostTheGpuIsOfNobody() {
    var failed =
        failed(
                INIT.formatted("worker-0", 0, 0),
                INIT.formatted("worker-0", 1, 1),
                INIT.formatted("worker-1", 0, 2),
                INIT.formatted("worker-1", 1, 3),
                "Traceback (most recent call last):",
                "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB. GPU 1 has a total capacty of 79.11 GiB of which 2.31 GiB is free.")
            .orElseThrow();

    assertThat(failed.ranks()).isEmpty();
  }

  private static Optional<Finding> failed(String... lines) {
    return Recorded.of(Map.of("job.log", Arrays.asList(lines))).judged().findings().stream()
        .filter(finding -> finding.kind() == FindingKind.JOB_FAILED)
        .findFirst();
  }
}
