package io.ringside.streams.parse.failure;

import static io.ringside.streams.parse.failure.Statements.aside;
import static io.ringside.streams.parse.failure.Statements.said;
import static io.ringside.streams.parse.failure.Statements.saying;
import static io.ringside.streams.parse.failure.Statements.shortened;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;

/// What libraries that move data between GPUs report about a failure, also as quoted by frameworks
/// and tests.
public final class LibraryLines {

  private static final String NCCL_ERROR = "NCCL Error ";

  private LibraryLines() {}

  /// `/opt/app/trainer.py:160: RuntimeWarning: no second GPU: NCCL Error 2: unhandled system error
  /// (run with NCCL_DEBUG=INFO for details)`: a program reports an exception of PyTorch
  /// (torch/csrc/cuda/nccl.cpp), and continues without NCCL.
  public static boolean warned(TextLine line) {
    if (!line.find("Warning: ") || !line.find(NCCL_ERROR)) {
      return false;
    }
    int code = line.integer();
    line.expect(": ");
    return line.good()
        && line.emit(
            new FailureEvent.DriverNotice(shortened(NCCL_ERROR + code + ": " + line.rest())));
  }

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          saying(FailureClass.SEGFAULT, "Signal: Segmentation fault (#)*", "Open MPI"),
          saying(FailureClass.SEGFAULT, "Signal: Bus error (#)*", "Open MPI"),
          saying(FailureClass.UNKNOWN, "Signal: Floating point exception (#)*", "Open MPI"),
          saying(FailureClass.UNKNOWN, "Signal: Illegal instruction (#)*", "Open MPI"),
          saying(FailureClass.SEGFAULT, "Caught signal # (Segmentation fault*", "UCX"),
          saying(FailureClass.SEGFAULT, "Caught signal # (Bus error*", "UCX"),
          saying(FailureClass.UNKNOWN, "Caught signal # (Floating point exception*", "UCX"),
          saying(FailureClass.UNKNOWN, "Caught signal # (Illegal instruction*", "UCX"),
          saying(FailureClass.UNKNOWN, "Caught signal # (Aborted*", "UCX, where it was asked to"),
          Shape.of("ib_mlx5_log.c:#*", "UCX", LibraryLines::unanswered),
          saying(FailureClass.NCCL, "OP_REQUIRES failed at nccl_*: *", "TensorFlow"),
          Shape.of(
              "BaseCollectiveExecutor::StartAbort *",
              "TensorFlow",
              LibraryLines::collectiveAborted),
          saying(
              FailureClass.CONFIGURATION,
              "FI_EFA_USE_DEVICE_RDMA=# was set by user, but EFA device has no rdma-read*",
              "libfabric"),
          Shape.of(
              "libfabric:*:efa:cq:efa_rdm_txe_handle_error():#<warn> err: #*",
              "libfabric 1.19+",
              Statements::aside),
          Shape.of(
              "libfabric:*:efa:cq:efa_rdm_rxe_handle_error():#<warn> err: #*",
              "libfabric 1.19+",
              Statements::aside),
          saying(FailureClass.NETWORK, "NET/OFI Request * completed with error*", "aws-ofi-nccl"),
          Shape.of(
              "WARN: Function: * Line: #: NET/OFI *",
              "aws-ofi-nccl's own tests",
              LibraryLines::pluginTest),
          saying(FailureClass.NETWORK, "socketProgress: Connection closed by remote peer*", "NCCL"),
          saying(FailureClass.NETWORK, "socketStartConnect: Connect to * failed*", "NCCL"),
          saying(FailureClass.NETWORK, "socketPollConnect: Connect to * failed*", "NCCL"),
          saying(FailureClass.NCCL, "Failed to create NCCL communicator: *", "XLA"),
          Shape.of("INTERNAL: *NCCL operation *", "XLA", LibraryLines::xla),
          Shape.of("Execution of replica # failed: *NCCL operation *", "XLA", LibraryLines::xla),
          saying(FailureClass.CONFIGURATION, "ncclSocketInit: connecting to address *", "NCCL"),
          saying(FailureClass.NCCL, "Test NCCL failure *:# *", "nccl-tests"),
          Shape.of("Test CUDA failure *:#*", "nccl-tests", LibraryLines::cudaError),
          Shape.of("Failed: Cuda error *:# *", "NCCL's examples", LibraryLines::cudaError),
          Shape.of("Failed, Cuda error *:# *", "NCCL's examples", LibraryLines::cudaError),
          Shape.of("Failed: CUDA error *:# *", "programs", LibraryLines::cudaError),
          saying(
              FailureClass.GPU_OUT_OF_MEMORY,
              "Cuda failure # 'out of memory'*",
              "NCCL, by PyTorch"),
          saying(
              FailureClass.GPU_OUT_OF_MEMORY, "Cuda failure 'out of memory'*", "NCCL, by PyTorch"),
          Shape.of("CUDA error: *", "llama.cpp and other programs", LibraryLines::bareError),
          Shape.of("CUDA Error: * at *:#", "vLLM's allocator", LibraryLines::allocator),
          Shape.of("Error * at line # in file *.cu", "bitsandbytes", LibraryLines::quantizer),
          Shape.of(".. * pid #: Test failure *", "nccl-tests", LibraryLines::testFailed),
          saying(FailureClass.NCCL, "Failed, NCCL error *:# *", "NCCL's examples"),
          saying(FailureClass.NCCL, "Failed: NCCL error *:# *", "NCCL's examples"),
          saying(FailureClass.NCCL, "NCCL error *:#: *", "programs"),
          saying(
              FailureClass.EXCEPTION,
              "[AITER] *:# fail to call *[HIP error](*",
              "AITER, which ends the process with 0"),
          Shape.of(
              "TCP client failed to connect/validate to host * - retrying (*",
              "torch 2.3+",
              LibraryLines::unreached),
          Shape.of(
              "libibverbs: Warning: Driver * does not support the kernel ABI of #*",
              "rdma-core",
              Statements::aside),
          Shape.of(
              "libibverbs: Warning: no userspace device-specific driver found for *",
              "libibverbs 1.1 to rdma-core",
              Statements::aside),
          saying(FailureClass.NCCL, "Aborting communicator: * due to async NCCL error: *", "XLA"));

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

  /// `CUDA error: an illegal memory access was encountered`, the only line that a program prints
  /// before it aborts. Any other error after `CUDA error:` may have been caught.
  private static boolean bareError(TextLine line) {
    var words = line.ahead();
    return words.startsWith("CUDA error: out of memory")
        ? said(line, FailureClass.GPU_OUT_OF_MEMORY)
        : KERNELS.stream().anyMatch(words::contains) && said(line, FailureClass.EXCEPTION);
  }

  /// CUDA's messages for a failed kernel (driver_types.h).
  private static final List<String> KERNELS =
      List.of(
          "an illegal memory access was encountered",
          "misaligned address",
          "an illegal instruction was encountered",
          "device-side assert triggered",
          "unspecified launch failure");

  /// `CUDA Error: out of memory at /workspace/csrc/cumem_allocator.cpp:62`, which vLLM's allocator
  /// prints before it raises an exception.
  private static boolean allocator(TextLine line) {
    var words = line.ahead();
    return said(
        line,
        words.contains("out of memory") ? FailureClass.GPU_OUT_OF_MEMORY : FailureClass.EXCEPTION);
  }

  /// `Error no kernel image is available for execution on the device at line 167 in file
  /// /src/csrc/ops.cu` (bitsandbytes' csrc/ops.cuh, `CUDA_CHECK_RETURN`). The process exits after
  /// it.
  private static boolean quantizer(TextLine line) {
    var words = line.ahead();
    return said(
        line,
        words.contains("out of memory")
            ? FailureClass.GPU_OUT_OF_MEMORY
            : SETUP.stream().anyMatch(words::contains)
                ? FailureClass.CONFIGURATION
                : FailureClass.EXCEPTION);
  }

  /// `INTERNAL: external/xla/xla/service/gpu/nccl_utils.cc:305: NCCL operation
  /// ncclCommInitRank(&comm, nranks, id, rank) failed: unhandled cuda error (…). Last NCCL
  /// warning(error) log entry (may be unrelated) 'Cuda failure 'out of memory''` (XLA's
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

  /// CUDA's messages for a machine or a launcher that is set up wrongly (driver_types.h).
  private static final List<String> SETUP =
      List.of(
          "invalid device ordinal",
          "system not yet initialized",
          "no CUDA-capable device is detected",
          "no kernel image is available",
          "CUDA driver version is insufficient");

  /// `WARN: Function: ofi_process_cq Line: 1033: NET/OFI Request completed with error`: a message
  /// of the plugin, printed by the logger of its tests.
  private static boolean pluginTest(TextLine line) {
    int from = line.at();
    var message = line.seek("NET/OFI ").rest();
    line.emit(new NcclEvent.Warning("NET/OFI " + message));
    line.back(from);
    return said(line, FailureClass.NCCL);
  }

  private static final String CUDA_FAILED = "Test CUDA failure ";
  private static final String NCCL_FAILED = "Test NCCL failure ";

  /// Reads a test failure in an unfinished row, after the row's first columns:
  /// `… float    none      -1 node-0: Test CUDA failure common.cu:389 '…'` (nccl-tests flushes them
  /// before it measures).
  ///
  /// @return always true, because the row itself was read
  public static boolean inRow(TextLine line) {
    int from = line.at();
    if (line.find(CUDA_FAILED)) {
      line.back(line.at() - CUDA_FAILED.length());
      cudaError(line);
    } else {
      line.back(from);
      if (line.find(NCCL_FAILED)) {
        line.back(line.at() - NCCL_FAILED.length());
        said(line, FailureClass.NCCL);
      }
    }
    return true;
  }

  /// ` .. worker-0 pid 10366: Test failure common.cu:1000`: the program ends, with one line per
  /// caller.
  private static boolean testFailed(TextLine line) {
    var host = line.expect(".. ").until(' ');
    var pid = line.expect(" pid ").integer();
    line.expect(": Test failure");
    return line.good() && line.emit(new FailureEvent.Exited(line.rank(), -1, 1, pid, host, false));
  }

  /// `ib_mlx5_log.c:171  Transport retry count exceeded on mlx5_0:1/IB (synd 0x15 …)`
  /// (src/uct/ib/mlx5): the peer's card did not answer.
  private static boolean unanswered(TextLine line) {
    return line.ahead().contains("retry count exceeded") && said(line, FailureClass.NETWORK);
  }

  /// `BaseCollectiveExecutor::StartAbort Internal: unhandled system error`
  /// (tensorflow/core/common_runtime/base_collective_executor.cc). The end of a data set has the
  /// same beginning.
  private static boolean collectiveAborted(TextLine line) {
    var words = line.ahead();
    return (words.contains("unhandled system error")
            || words.contains("unhandled cuda error")
            || words.contains("NCCL"))
        && said(line, FailureClass.NCCL);
  }

  /// `TCP client failed to connect/validate to host 10.0.0.7:29500 - retrying (try=0,
  /// timeout=600000ms, delay=33924ms): The client socket has timed out after 600000ms …`. A store
  /// that refuses or resets a connection will soon be there, so those lines are not read.
  private static boolean unreached(TextLine line) {
    return line.ahead().contains("client socket has timed out after ") && aside(line);
  }
}
