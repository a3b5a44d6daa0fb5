package io.ringside.streams.detect.failure;

import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.job.Run;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.List;

/// What is said once a run has made its last step. Ranks that have done their work leave, and the
/// watchdogs of those that are slower meet connections that have gone; threads that outlive the
/// main one are refused what they ask Python for. A run that dies then, as while it saves its last
/// checkpoint, says more than that: somebody raises, a process takes itself down, or a launcher
/// tells that one ended.
public final class AfterLastStep {
  /// The watchdog's word on an error, and not on a call that took too long (ProcessGroupNCCL.cpp,
  /// `checkAndSetException`).
  private static final String MET = "NCCL error: ";

  /// How NCCL's results are called on the line behind it (c10d's NCCLUtils.hpp).
  private static final List<String> RESULTS = List.of("ncclSystemError", "ncclRemoteError");

  private AfterLastStep() {}

  /// Whether a line is of a run on its way out after its last step, and no more.
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
      case FailureEvent.DriverSaid _,
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
