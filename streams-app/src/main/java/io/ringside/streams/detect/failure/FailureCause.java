package io.ringside.streams.detect.failure;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one line says about a failure.
///
/// @param rank global rank, -1 where the line names none
/// @param words the failure in the program's own words
/// @param advice meaning and advice, null if the words say it all
/// @param death whether the line proves that a process ended
/// @param follows whether such a line usually follows from another process's failure
record FailureCause(
    FailureClass failureClass,
    int rank,
    String words,
    @Nullable String advice,
    boolean death,
    boolean follows,
    Sign sign) {
  private static final int SIGNALLED = 128;

  /// Exceptions that report the end of another process.
  private static final List<String> EFFECTS =
      List.of(
          "ChildFailedError",
          "ProcessExitedException",
          "ProcessRaisedException",
          "CalledProcessError",
          "AlgorithmError",
          "ExecuteUserScriptError",
          "SignalException",
          "process taken down",
          "ConnectionResetError",
          "BrokenPipeError",
          "EOFError",
          "Exception",
          "DistBackendError",
          "DistNetworkError",
          "DistStoreError",
          "RendezvousConnectionError",
          "terminate called",
          "ncclRemoteError",
          "ncclSystemError",
          "ncclInternalError",
          "RayActorError",
          "ActorDiedError",
          "WorkerCrashedError");

  /// Messages about a child process that ended without a message: Hugging Face's datasets,
  /// concurrent.futures, the DataLoaders of PyTorch and Paddle, joblib.
  private static final List<String> LOST_CHILD =
      List.of(
          "subprocesses has abruptly died",
          "was terminated abruptly",
          "exited unexpectedly",
          "workers exit unexpectedly",
          "was unexpectedly terminated");

  /// NCCL's text for a call that it refuses. Such a refusal does not follow from another rank's
  /// failure, whichever rank makes the call first.
  private static final String REFUSED = "invalid usage";

  static FailureCause of(Sign sign) {
    return switch (sign.event()) {
      case FailureEvent.Raised raised -> raised(raised, sign);
      case FailureEvent.Said said -> said(said, sign);
      case FailureEvent.Exited exited -> exited(exited, sign);
      case FailureEvent.Cancelled(var failureClass, var words) ->
          new FailureCause(failureClass, -1, words, null, true, false, sign);
      case FailureEvent.Reported(var _, var failureClass, var words, var end, var _, var _) ->
          new FailureCause(failureClass, -1, words, advice(failureClass), end, false, sign);
      case FailureEvent.Xid xid ->
          new FailureCause(
              FailureClass.GPU_ERROR, -1, "Xid %d".formatted(xid.code()), null, false, false, sign);
      case FailureEvent.SwitchXid xid ->
          new FailureCause(
              FailureClass.GPU_ERROR,
              -1,
              "SXid %d".formatted(xid.code()),
              null,
              false,
              false,
              sign);
      case FailureEvent.DriverNotice said ->
          new FailureCause(FailureClass.GPU_ERROR, -1, said.words(), null, false, false, sign);
      case FailureEvent.GpuFlag flag ->
          new FailureCause(
              FailureClass.GPU_ERROR,
              -1,
              flag.flag() + ": " + flag.value(),
              null,
              false,
              false,
              sign);
      case FailureEvent.LinkDown(var _, var port) ->
          new FailureCause(
              FailureClass.NETWORK, -1, port + " lost its link", null, false, false, sign);
      case FailureEvent.TracebackBegun _,
          FailureEvent.Frame _,
          FailureEvent.Chained _,
          FailureEvent.WentOn _,
          FailureEvent.GpuListed _,
          FailureEvent.Tabled _,
          FailureEvent.Described _,
          FailureEvent.Booted _ ->
          throw new IllegalArgumentException("an unfinished traceback: " + sign.line().text());
    };
  }

  private static FailureCause raised(FailureEvent.Raised raised, Sign sign) {
    var name = raised.type().substring(raised.type().lastIndexOf('.') + 1);
    var text = raised.type() + ": " + raised.message();
    var rule = FailureWords.of(text);
    var shown = Character.isLowerCase(name.charAt(0)) ? raised.type() : name; // `zlib.error`
    var words =
        (raised.message().isEmpty() ? shown : shown + ": " + raised.message())
            + (raised.frame() == null ? "" : " (" + raised.frame() + ")");
    var told = rule.map(FailureWords.Rule::failureClass).orElse(without(name));
    boolean leaves = FailureWords.ofALeaver(text);
    boolean effect =
        !text.contains(REFUSED)
            && ((EFFECTS.contains(name) && !says(told) && !FailureWords.ofOwnKernel(text))
                || told == FailureClass.NCCL
                || leaves
                || FailureWords.ofAVictim(text));
    return new FailureCause(
        told,
        raised.rank(),
        words,
        rule.map(FailureWords.Rule::advice).orElse(null),
        dies(name) || !leaves && uncaught(raised, sign),
        effect,
        sign);
  }

  /// The same failure with class, words and advice from another source.
  FailureCause reclassified(FailureClass failureClass, String words, @Nullable String advice) {
    return new FailureCause(failureClass, rank, words, advice, death, follows, sign);
  }

  /// The same failure on this global rank.
  FailureCause onRank(int global) {
    return new FailureCause(failureClass, global, words, advice, death, follows, sign);
  }

  /// The same failure, proved by another line.
  FailureCause provenBy(Sign sign) {
    return new FailureCause(failureClass, rank, words, advice, death, follows, sign);
  }

  /// The failure class of an exception whose text matches no rule.
  private static FailureClass without(String name) {
    return switch (name) {
      case "process taken down", // by the watchdog
          "DistBackendError", // by PyTorch
          "ncclRemoteError", // on the next line
          "ncclSystemError",
          "ncclInternalError",
          "ncclUnhandledCudaError" ->
          FailureClass.NCCL;
      case "terminate called" -> FailureClass.UNKNOWN;
      default -> FailureClass.EXCEPTION;
    };
  }

  /// Classes that hold even if the process that raised the exception only watched another process.
  private static boolean says(FailureClass failureClass) {
    return switch (failureClass) {
      case GPU_OUT_OF_MEMORY,
          OUT_OF_MEMORY,
          KILLED,
          SEGFAULT,
          GPU_ERROR,
          DISK_FULL,
          CONFIGURATION,
          NODE_LOST ->
          true;
      case EXCEPTION, DATA, NETWORK, NCCL, TIME_LIMIT, STOPPED, UNKNOWN -> false;
    };
  }

  /// Whether nobody caught the exception: torch prints `[rank3]:` in front of uncaught ones
  /// (torch/distributed/distributed_c10d.py, excepthook).
  private static boolean uncaught(FailureEvent.Raised raised, Sign sign) {
    return raised.rank() >= 0 && sign.line().text().contains("[rank" + raised.rank() + "]:");
  }

  /// Whether the exception's name alone proves the end of a process.
  private static boolean dies(String name) {
    return switch (name) {
      case "terminate called",
          "process taken down",
          "ChildFailedError",
          "ProcessExitedException",
          "ProcessRaisedException",
          "CalledProcessError",
          "AlgorithmError", // SageMaker's FailureReason
          "UnexpectedStatusException", // SageMaker's client
          "ExecuteUserScriptError", // SageMaker's toolkit
          "SignalException" ->
          true;
      default -> false;
    };
  }

  private static FailureCause said(FailureEvent.Said said, Sign sign) {
    var rule = FailureWords.of(said.words());
    boolean death =
        switch (said.failureClass()) {
          case KILLED, SEGFAULT, OUT_OF_MEMORY, NODE_LOST, CONFIGURATION, UNKNOWN -> true;
          case GPU_OUT_OF_MEMORY,
              EXCEPTION,
              GPU_ERROR,
              DISK_FULL,
              DATA,
              NETWORK,
              NCCL,
              TIME_LIMIT,
              STOPPED ->
              false;
        };
    return new FailureCause(
        said.failureClass(),
        said.rank(),
        said.words(),
        rule.map(FailureWords.Rule::advice).orElse(null),
        death,
        FailureWords.ofAVictim(said.words()),
        sign);
  }

  private static FailureCause exited(FailureEvent.Exited exited, Sign sign) {
    int signal = exited.code() < 0 ? -exited.code() : exited.code() - SIGNALLED;
    var failureClass =
        switch (signal) {
          case 9 -> FailureClass.KILLED;
          case 11, 7 -> FailureClass.SEGFAULT;
          case 15, 2, 1 -> FailureClass.STOPPED;
          default -> FailureClass.UNKNOWN;
        };
    var ended =
        switch (signal) {
          case 9 -> "killed by SIGKILL";
          case 11 -> "ended with SIGSEGV";
          case 15 -> "ended with SIGTERM";
          case 6 -> "aborted (SIGABRT)";
          case 7 -> "ended with SIGBUS";
          case 4 -> "ended with SIGILL";
          case 8 -> "ended with SIGFPE";
          default -> "ended with exit code " + exited.code();
        };
    var text = sign.line().text();
    boolean memory = text.contains("Out Of Memory");
    // a launcher ends its other children with SIGTERM; a process that aborts, or exits the way
    // nccl-tests does, has printed its reason before
    boolean effect = signal == 15 || signal == 6 || text.contains(": Test failure ");
    return new FailureCause(
        memory ? FailureClass.OUT_OF_MEMORY : failureClass,
        exited.rank(),
        "a process " + ended + (exited.host().isEmpty() ? "" : " on " + exited.host()),
        FailureWords.of(
                switch (failureClass) {
                  case KILLED -> "SIGKILL";
                  case SEGFAULT -> signal == 7 ? "SIGBUS" : "SIGSEGV";
                  default -> "";
                })
            .map(FailureWords.Rule::advice)
            .orElse(null),
        true,
        effect,
        sign);
  }

  /// Advice for an end that is reported from outside the process.
  private static @Nullable String advice(FailureClass failureClass) {
    return FailureWords.of(
            switch (failureClass) {
              case OUT_OF_MEMORY -> "OOMKilled";
              case NODE_LOST -> "Node failure";
              case TIME_LIMIT -> "DUE TO TIME LIMIT";
              case KILLED -> "SIGKILL";
              case SEGFAULT -> "SIGSEGV";
              case GPU_OUT_OF_MEMORY,
                  EXCEPTION,
                  GPU_ERROR,
                  DISK_FULL,
                  DATA,
                  NETWORK,
                  NCCL,
                  CONFIGURATION,
                  STOPPED,
                  UNKNOWN ->
                  "";
            })
        .map(FailureWords.Rule::advice)
        .orElse(null);
  }

  /// Whether the line itself gives the reason why the process died.
  boolean tells() {
    return failureClass != FailureClass.UNKNOWN && !follows;
  }

  /// Whether NCCL refused the call.
  boolean refused() {
    return sign.event() instanceof FailureEvent.Raised && sign.line().text().contains(REFUSED);
  }

  /// Whether this is torchrun's summary of its own failed children.
  boolean isLauncherSummary() {
    return sign.event() instanceof FailureEvent.Raised raised
        && raised.type().endsWith("ChildFailedError");
  }

  /// Whether a child of the process ended without a message.
  boolean isLostChild() {
    return LOST_CHILD.stream().anyMatch(words::contains);
  }

  /// Whether a process reports its own failure, not that of a peer or child and not a request to
  /// end.
  boolean isOwnReport() {
    return tells()
        && failureClass != FailureClass.NETWORK
        && !failureClass.wanted()
        && !isLostChild()
        && (sign.event() instanceof FailureEvent.Said
            || sign.event() instanceof FailureEvent.Raised raised
                && raised.chain() != FailureEvent.Chain.LOOSE
                && raised.chain() != FailureEvent.Chain.LOGGED);
  }
}
