package io.ringside.streams.detect.error;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.job.TrainingProcess.Statement;
import java.util.List;

/// Processes whose first call of NCCL returned an error of which no WARN line tells why: only the
/// trace of the error on its way up says that there was one. What ends after its communicators were
/// up may have been asked to.
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

  /// As NCCL words them (src/init.cc, ncclGetErrorString).
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
