package io.ringside.streams.detect.error;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.Watchdog;
import java.util.List;

/// Reports of PyTorch's watchdogs that saw a collective fail, where no line says whether it timed
/// out or met an error because the beginning of the report is missing. The ranks that report are
/// often victims, so none is blamed.
final class WatchdogReports {
  private WatchdogReports() {}

  static List<Finding> examine(Examination examination) {
    var run = examination.run();
    var watchdogs = run.watchdogs();
    if (watchdogs.isEmpty()
        || !run.failures().signs().isEmpty()
        || watchdogs.values().stream().anyMatch(it -> it.voice() != Watchdog.Voice.STATUS)) {
      return List.of();
    }
    var first = watchdogs.values().iterator().next();
    var draft =
        FindingDraft.ofRanks(
                FindingKind.NCCL_ERROR, Severity.WARNING, examination, watchdogs.keySet())
            .summary(
                "PyTorch's watchdog saw collective call %d fail, by a time-out or by an error of NCCL"
                    .formatted(first.sequence()))
            .expected("every collective call completes")
            .observed("last completed call: " + first.lastCompleted())
            .cause("the lines before this one say which of both: they are not here");
    watchdogs.values().stream().limit(4).forEach(watchdog -> draft.proof(watchdog.proof()));
    return List.of(draft.finding());
  }
}
