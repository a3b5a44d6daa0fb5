package io.ringside.streams.detect.failure;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one line about a failure says.
///
/// @param rank global rank, -1 where the line names none
/// @param words the failure in the program's own words
/// @param advice what it means, null where the words are all there is
/// @param death whether the line proves that a process ended
/// @param follows whether such a line usually follows from another process's failure
record Cause(
    FailureClass failureClass,
    int rank,
    String words,
    @Nullable String advice,
    boolean death,
    boolean follows,
    Sign sign) {
  private static final int SIGNALLED = 128;

  /// Exceptions that tell of another process's end.
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

  /// Of a child that ended without a word: Hugging Face's datasets, concurrent.futures, the
  /// DataLoaders of PyTorch and Paddle, joblib.
  private static final List<String> LOST_CHILD =
      List.of(
          "subprocesses has abruptly died",
          "was terminated abruptly",
          "exited unexpectedly",
          "workers exit unexpectedly",
          "was unexpectedly terminated");

  /// What NCCL refuses from the start nobody else did to it, and whichever rank asks first.
  private static final String REFUSED = "invalid usage";

  static Cause of(Sign sign) {
    return switch (sign.event()) {
      case FailureEvent.Raised raised -> raised(raised, sign);
      case FailureEvent.Said said -> said(said, sign);
      case FailureEvent.Exited exited -> exited(exited, sign);
      case FailureEvent.Cancelled(var failureClass, var words) ->
          new Cause(failureClass, -1, words, null, true, false, sign);
      case FailureEvent.Reported(var _, var failureClass, var words, var end, var _, var _) ->
          new Cause(failureClass, -1, words, advice(failureClass), end, false, sign);
      case FailureEvent.Xid xid ->
          new Cause(
              FailureClass.GPU_ERROR, -1, "Xid %d".formatted(xid.code()), null, false, false, sign);
      case FailureEvent.SwitchXid xid ->
          new Cause(
              FailureClass.GPU_ERROR,
              -1,
              "SXid %d".formatted(xid.code()),
              null,
              false,
              false,
              sign);
      case FailureEvent.DriverSaid said ->
          new Cause(FailureClass.GPU_ERROR, -1, said.words(), null, false, false, sign);
      case FailureEvent.GpuFlag flag ->
          new Cause(
              FailureClass.GPU_ERROR,
              -1,
              flag.flag() + ": " + flag.value(),
              null,
              false,
              false,
              sign);
      case FailureEvent.LinkDown(var _, var port) ->
          new Cause(FailureClass.NETWORK, -1, port + " lost its link", null, false, false, sign);
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

  private static Cause raised(FailureEvent.Raised raised, Sign sign) {
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
            && ((EFFECTS.contains(name) && !says(told))
                || told == FailureClass.NCCL
                || leaves
                || FailureWords.ofAVictim(text));
    return new Cause(
        told,
        raised.rank(),
        words,
        rule.map(FailureWords.Rule::advice).orElse(null),
        dies(name) || !leaves && uncaught(raised, sign),
        effect,
        sign);
  }

  /// The same failure, with what somebody else's words say of it.
  Cause as(FailureClass failureClass, String words, @Nullable String advice) {
    return new Cause(failureClass, rank, words, advice, death, follows, sign);
  }

  /// The same failure of this rank.
  Cause of(int global) {
    return new Cause(failureClass, global, words, advice, death, follows, sign);
  }

  /// The same failure, proved by another line.
  Cause shownBy(Sign sign) {
    return new Cause(failureClass, rank, words, advice, death, follows, sign);
  }

  /// The class of words that no rule knows.
  private static FailureClass without(String name) {
    return switch (name) {
      case "process taken down", // by the watchdog
          "DistBackendError", // by PyTorch
          "ncclRemoteError", // on the line behind it
          "ncclSystemError",
          "ncclInternalError",
          "ncclUnhandledCudaError" ->
          FailureClass.NCCL;
      case "terminate called" -> FailureClass.UNKNOWN;
      default -> FailureClass.EXCEPTION;
    };
  }

  /// Classes that an exception may name although it was raised by whoever watched.
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

  /// torch prints `[rank3]:` in front of exceptions that nobody caught
  /// (torch/distributed/distributed_c10d.py, excepthook).
  private static boolean uncaught(FailureEvent.Raised raised, Sign sign) {
    return raised.rank() >= 0 && sign.line().text().contains("[rank" + raised.rank() + "]:");
  }

  /// Names that stand for the end of a process by themselves.
  private static boolean dies(String name) {
    return switch (name) {
      case "terminate called",
          "process taken down",
          "ChildFailedError",
          "ProcessExitedException",
          "ProcessRaisedException",
          "CalledProcessError",
          "AlgorithmError", // SageMaker's FailureReason
          "UnexpectedStatusException", // and its client
          "ExecuteUserScriptError", // and what its toolkit says of the program
          "SignalException" ->
          true;
      default -> false;
    };
  }

  private static Cause said(FailureEvent.Said said, Sign sign) {
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
    return new Cause(
        said.failureClass(),
        said.rank(),
        said.words(),
        rule.map(FailureWords.Rule::advice).orElse(null),
        death,
        FailureWords.ofAVictim(said.words()),
        sign);
  }

  private static Cause exited(FailureEvent.Exited exited, Sign sign) {
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
    // a launcher ends its other children with SIGTERM; an abort, and nccl-tests' way out, is the
    // last word of one who said why
    boolean effect = signal == 15 || signal == 6 || text.contains(": Test failure ");
    return new Cause(
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

  /// What an end means that is told from outside.
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

  /// Whether the line itself says what the process died of.
  boolean tells() {
    return failureClass != FailureClass.UNKNOWN && !follows;
  }

  /// Whether NCCL refused what it was asked for.
  boolean refused() {
    return sign.event() instanceof FailureEvent.Raised && sign.line().text().contains(REFUSED);
  }

  /// Whether torchrun sums up that children of its own have failed.
  boolean ofALauncher() {
    return sign.event() instanceof FailureEvent.Raised raised
        && raised.type().endsWith("ChildFailedError");
  }

  /// Whether a child of the process ended without a word.
  boolean ofAChild() {
    return LOST_CHILD.stream().anyMatch(words::contains);
  }

  /// Whether a process says so of itself: not of a peer, of its children or of a request to end.
  boolean ownWords() {
    return tells()
        && failureClass != FailureClass.NETWORK
        && !failureClass.wanted()
        && !ofAChild()
        && (sign.event() instanceof FailureEvent.Said
            || sign.event() instanceof FailureEvent.Raised raised
                && raised.chain() != FailureEvent.Chain.LOOSE
                && raised.chain() != FailureEvent.Chain.LOGGED);
  }
}
