package io.ringside.streams.parse.failure;

import static io.ringside.streams.parse.failure.Statements.said;
import static io.ringside.streams.parse.failure.Statements.saying;
import static io.ringside.streams.parse.failure.Statements.shortened;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;

/// What frameworks, inference servers and Ray report about a process or a node that is gone, and
/// about an end that was requested.
public final class FrameworkLines {

  private FrameworkLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of(
              "FatalError: *is detected by the operating system*",
              "Paddle",
              FrameworkLines::paddle),
          saying(FailureClass.UNKNOWN, "WorkerProc failed to start*", "vLLM"),
          Shape.of(
              "Exception in worker VllmWorkerProcess while processing method *: *",
              "vLLM to 0.7",
              FrameworkLines::method),
          saying(
              FailureClass.UNKNOWN,
              "Error executing method '*'. This might cause deadlock in distributed execution*",
              "vLLM, which raises what the method raised"),
          Shape.of(
              "A worker died or was killed while executing a task by an unexpected system error.*",
              "Ray",
              FrameworkLines::actor),
          Shape.of("Worker proc VllmWorker-# died unexpectedly*", "vLLM", FrameworkLines::worker),
          saying(FailureClass.UNKNOWN, "EngineCore encountered a fatal error*", "vLLM"),
          saying(FailureClass.UNKNOWN, "EngineCore failed to start*", "vLLM"),
          saying(
              FailureClass.UNKNOWN,
              "vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue*",
              "vLLM, whose server cannot go on"),
          saying(FailureClass.UNKNOWN, "Exception during training:*", "detectron2"),
          Shape.of(
              "[shutdown] EngineCore: trigger received signal=SIG*", "vLLM", FrameworkLines::asked),
          Shape.of(
              "Scheduler hit an exception: Traceback (most recent call last):*",
              "SGLang",
              line -> PythonLines.begun(line, false)),
          saying(
              FailureClass.UNKNOWN,
              "Scheduler hit an exception: *",
              "SGLang, shortened by somebody"),
          saying(
              FailureClass.GPU_OUT_OF_MEMORY,
              "ray.exceptions.RayTaskError(OutOfMemoryError): *",
              "Ray, of what its task raised"),
          Shape.of(
              "OOM when allocating tensor with shape*",
              "TensorFlow, below what only says that a graph failed",
              FrameworkLines::allocator),
          Shape.of(
              "(#) Resource exhausted: OOM when allocating tensor with shape*",
              "TensorFlow, one of several root errors",
              FrameworkLines::allocator),
          saying(
              FailureClass.NODE_LOST,
              "absl::Status: UNAVAILABLE: The following tasks are unhealthy (stopped sending heartbeats):*",
              "JAX's coordination service"),
          saying(FailureClass.UNKNOWN, "Received sigquit from a child proces*", "SGLang"),
          saying(FailureClass.UNKNOWN, "SIGQUIT received. signum=*", "SGLang"),
          saying(FailureClass.NODE_LOST, "The node with node id: *marked dead*", "Ray"),
          saying(
              FailureClass.OUT_OF_MEMORY,
              "node_manager.cc:#: # Workers (tasks / actors) killed due to memory pressure (OOM)*",
              "Ray"),
          saying( // wrapped at some width after the slash
              FailureClass.OUT_OF_MEMORY,
              "actors) killed due to memory pressure (OOM), # Workers crashed*",
              "Ray"),
          saying(
              FailureClass.OUT_OF_MEMORY,
              "Memory on the node (IP: *exceeds the memory usage threshold*",
              "Ray"),
          saying(
              FailureClass.OUT_OF_MEMORY,
              "The actor is dead because its worker process has died. Worker exit type: NODE_OUT_OF_MEMORY*",
              "Ray"),
          saying(
              FailureClass.OUT_OF_MEMORY,
              "The actor is dead because its worker process has died. Worker exit type: USER_ERROR"
                  + " Worker exit detail: *running low on memory*",
              "Ray to 2.2, whose memory monitor has no exit type of its own"),
          saying(
              FailureClass.OUT_OF_MEMORY,
              "Task was killed due to the node running low on memory*",
              "Ray, what its OutOfMemoryError says, passed on by a program"),
          saying(
              FailureClass.OUT_OF_MEMORY,
              "# worker(s) were killed due to the node running low on memory*",
              "Ray, the same of several workers"),
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
          saying(FailureClass.NODE_LOST, "The actor is dead because its node has *", "Ray"),
          saying(FailureClass.NODE_LOST, "The actor died because its node has died*", "Ray"),
          Shape.of(
              "The actor is dead because its owner has died*", "Ray", FrameworkLines::ownerDied),
          Shape.of("the actor's node was preempted*", "Ray", FrameworkLines::asked),
          Shape.of("Rank # crashed with exit code *", "Composer", FrameworkLines::crashed),
          Shape.of("Global rank # (PID #) exited with code *", "Composer", FrameworkLines::crashed),
          Shape.of(
              "Child process with PID # terminated with code #*",
              "Lightning",
              FrameworkLines::child),
          Shape.of(
              "Detected KeyboardInterrupt, attempting graceful shutdown*",
              "Lightning",
              FrameworkLines::asked),
          Shape.of(
              "Main process received SIG*, exiting*",
              "DeepSpeed's launcher",
              FrameworkLines::asked),
          saying(FailureClass.UNKNOWN, "Killing subprocess #*", "DeepSpeed's launcher"),
          Shape.of("Received SIGTERM*", "Lightning, Megatron", FrameworkLines::asked),
          Shape.of("Caught signal SIGTERM*", "all", FrameworkLines::asked));

  /// `Exception in worker VllmWorkerProcess while processing method init_device: NCCL error:
  /// unhandled system error (…), Traceback (most recent call last):`
  /// (vllm/executor/multiproc_worker_utils.py): the traceback begins on the same line.
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

  /// `OOM when allocating tensor with shape[64,512] and type float on …/device:GPU:0 by allocator
  /// GPU_0_bfc` (tensorflow/core/framework/op_kernel.cc).
  private static boolean allocator(TextLine line) {
    return line.emit(
        new FailureEvent.Raised(
            line.rank(),
            "ResourceExhaustedError",
            ExceptionLine.message(line.text(), line.at(), line.end()),
            null,
            FailureEvent.Chain.LOOSE));
  }

  /// A worker ended while it had work, as Ray reports it. If the worker was an actor, its task is
  /// the one that created it, whose id begins with eight bytes of 255 (src/ray/common/id.cc,
  /// `TaskID::ForActorCreationTask`). Other tasks are retried.
  private static boolean actor(TextLine line) {
    int from = line.at();
    boolean actor = line.find("RayTask ID: ffffffffffffffff");
    line.back(from);
    return actor && said(line, FailureClass.UNKNOWN);
  }

  /// `The actor is dead because its owner has died. Owner Id: … Worker exit detail: Owner's node
  /// has crashed.`
  private static boolean ownerDied(TextLine line) {
    var words = line.rest();
    return line.emit(
        new FailureEvent.Said(
            line.rank(),
            words.contains("node has crashed") ? FailureClass.NODE_LOST : FailureClass.UNKNOWN,
            shortened(words)));
  }

  /// ``FatalError: `Segmentation fault` is detected by the operating system.``, up to Paddle 2.0
  /// `A serious error (Segmentation fault)` (paddle/fluid/platform/init.cc, `SignalHandle`). Paddle
  /// catches the signals of its whole process, whatever code caused them.
  private static boolean paddle(TextLine line) {
    var words = line.ahead();
    if (words.contains("Termination signal")) {
      return asked(line);
    }
    return said(
        line, words.contains("Segmentation fault") ? FailureClass.SEGFAULT : FailureClass.UNKNOWN);
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

  /// `Rank 0 crashed with exit code -11.`
  private static boolean crashed(TextLine line) {
    var rank = line.seek("ank ").integer();
    var code = line.seek(" code ").integer();
    return line.good()
        && code != 0
        && line.emit(new FailureEvent.Exited(rank, -1, code, -1, "", true));
  }

  /// `[rank: 4] Child process with PID 320505 terminated with code 1. Forcefully terminating all
  /// other processes …`
  private static boolean child(TextLine line) {
    var pid = line.expect("Child process with PID ").integer();
    var code = line.expect(" terminated with code ").integer();
    return line.good()
        && code != 0
        && line.emit(new FailureEvent.Exited(line.rank(), -1, code, pid, "", true));
  }

  private static boolean asked(TextLine line) {
    return line.emit(new FailureEvent.Cancelled(FailureClass.STOPPED, shortened(line.rest())));
  }
}
