package io.ringside.streams.detect.error;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.TrainingProcess.Statement;
import java.util.List;

/// Finds processes whose first NCCL call returned an error without a WARN line that gives the
/// reason: only the trace of the error through NCCL's call stack shows it. Processes that ended
/// after their communicators were up are left out, as they may have been asked to end.
final class FailedCalls {
  private FailedCalls() {}

  static List<Finding> examine(List<TrainingProcess> processes, Examination examination) {
    var failed =
        processes.stream()
            .filter(process -> process.proof(Statement.CALL_FAILED) != null)
            .filter(process -> !process.cameUp() && !process.edges().iterator().hasNext())
            .toList();
    if (failed.isEmpty()) {
      return List.of();
    }
    var draft =
        FindingDraft.about(FindingKind.NCCL_ERROR, Severity.WARNING, examination, failed)
            .summary(
                "NCCL returned an error before any communicator was up: "
                    + words(failed.getFirst().failedCall()))
            .expected("a communicator comes up")
            .observed(
                "%d %s".formatted(failed.size(), failed.size() == 1 ? "process" : "processes"))
            .cause(
                "no WARN line says more: the places in NCCL's source below tell how far it came; look whether the"
                    + " other ranks were started and can be reached");
    failed.stream().limit(4).forEach(process -> draft.proof(process.proof(Statement.CALL_FAILED)));
    return List.of(draft.finding());
  }

  /// Text of an NCCL result code, as in NCCL (src/init.cc, ncclGetErrorString).
  private static String words(int result) {
    return switch (result) {
      case 1 -> "unhandled cuda error";
      case 2 -> "unhandled system error";
      case 3 -> "internal error";
      case 6 -> "remote process exited or there was a network error";
      default -> "result " + result;
    };
  }
}
