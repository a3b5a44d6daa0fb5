package io.ringside.streams.detect.failure;

import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import java.util.HashMap;
import java.util.Map;

/// Times of failures by one clock for all hosts. The run's calls show how far each log's clock is
/// ahead. Where they do not, times are used unchanged.
final class LogClocks {
  private final Map<String, Long> aheadNanos = new HashMap<>();

  LogClocks(Run run) {
    var measured =
        run.communicators().stream()
            .filter(comm -> comm.rounds().completed() > 0)
            .max((one, other) -> Integer.compare(one.nranks(), other.nranks()));
    measured.ifPresent(comm -> run.processes().forEach(process -> note(process, comm)));
  }

  private void note(TrainingProcess process, Communicator comm) {
    var membership = process.memberships().get(comm.id());
    if (membership != null && membership.rank() >= 0) {
      aheadNanos.putIfAbsent(process.source().id(), comm.waits().aheadNanos(membership.rank()));
    }
  }

  /// @return Unix epoch nanoseconds by the common clock
  long nanos(Sign sign) {
    return sign.atNanos() - aheadNanos.getOrDefault(sign.source(), 0L);
  }
}
