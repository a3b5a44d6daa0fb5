package io.ringside.streams.detect.failure;

import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.job.Run;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.List;

/// Recognizes lines that only show a normal shutdown after the run's last step. Ranks that are done
/// leave, and watchdogs of slower ranks find their connections closed. Threads that outlive the
/// main thread get errors from Python. A run that really dies at that point, for example while it
/// saves its last checkpoint, shows more: an exception, a process that takes itself down, or a
/// launcher that reports an ended process.
public final class AfterLastStep {
  /// Start of the watchdog's message about an error, as opposed to a call that took too long
  /// (ProcessGroupNCCL.cpp, `checkAndSetException`).
  private static final String MET = "NCCL error: ";

  /// Names of NCCL's results on the line after that message (c10d's NCCLUtils.hpp).
  private static final List<String> RESULTS = List.of("ncclSystemError", "ncclRemoteError");

  private AfterLastStep() {}

  /// Whether a line only belongs to a run that shuts down after its last step.
  public static boolean leaves(Sign sign, Run run) {
    if (!(sign.event() instanceof FailureEvent.Raised raised) || !done(sign, run)) {
      return false;
    }
    return FailureWords.ofALeaver(raised.type() + ": " + raised.message())
        || ofAPeer(raised)
            && run.failures().signs().stream()
                .filter(other -> other.progressAfter() == 0)
                .allMatch(other -> harmless(other.event()));
  }

  private static boolean done(Sign sign, Run run) {
    return sign.progressAfter() == 0
        && (run.failures().finishedBefore(sign) || run.steps().complete(sign.source()));
  }

  private static boolean ofAPeer(FailureEvent.Raised raised) {
    return raised.type().equals("process taken down") && raised.message().startsWith(MET)
        || RESULTS.contains(raised.type()) && raised.chain() == FailureEvent.Chain.LOOSE;
  }

  private static boolean harmless(FailureEvent event) {
    return switch (event) {
      case FailureEvent.Raised raised ->
          ofAPeer(raised) || FailureWords.ofALeaver(raised.type() + ": " + raised.message());
      case FailureEvent.Exited _,
          FailureEvent.Cancelled _,
          FailureEvent.Said _,
          FailureEvent.Reported _,
          FailureEvent.Xid _,
          FailureEvent.SwitchXid _,
          FailureEvent.GpuFlag _,
          FailureEvent.LinkDown _ ->
          false;
      case FailureEvent.DriverNotice _,
          FailureEvent.TracebackBegun _,
          FailureEvent.Frame _,
          FailureEvent.Chained _,
          FailureEvent.WentOn _,
          FailureEvent.GpuListed _,
          FailureEvent.Tabled _,
          FailureEvent.Described _,
          FailureEvent.Booted _ ->
          true;
    };
  }
}
