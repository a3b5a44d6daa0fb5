package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;

import java.util.Comparator;
import java.util.List;

/// Which of a job's runs came first: by the times of their lines; where lines carry none, by the names of
/// the files (`0.log` before `1.log`, `run1/…` before `run2/…`) and by the place in the file, for a restart
/// in the same container goes on in the same file.
final class RunOrder {
  private static final Comparator<Run> BY_FILE =
      Comparator.comparing(RunOrder::firstFile).thenComparingLong(RunOrder::firstOffset);

  private RunOrder() {}

  static Comparator<Run> of(List<Run> runs) {
    boolean dated = runs.stream().allMatch(run -> run.firstNanos() != NO_TIME);
    return (dated ? Comparator.comparingLong(Run::firstNanos).thenComparing(BY_FILE) : BY_FILE)
        .thenComparing(Run::id);
  }

  private static String firstFile(Run run) {
    return run.processes().stream()
        .map(process -> process.source().file())
        .min(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()))
        .orElse("");
  }

  private static long firstOffset(Run run) {
    var file = firstFile(run);
    long first = Long.MAX_VALUE;
    for (var process : run.processes()) {
      if (process.source().file().equals(file)) {
        for (var membership : process.memberships().values()) {
          // versions without START print one line when a communicator is up
          var began = membership.proof("start");
          var start = began == null ? membership.proof("complete") : began;
          if (start != null) {
            first = Math.min(first, start.offset());
          }
        }
      }
    }
    return first;
  }
}
