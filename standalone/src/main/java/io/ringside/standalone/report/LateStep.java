package io.ringside.standalone.report;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/// One call of a straggler as its proof shows it: who waited since when, and when the late rank came.
///
/// @param operation such as `ReduceScatter`, empty where the line does not say
/// @param since when the waiting rank called
/// @param waiter whose line is the last one before the late rank's
/// @param seconds by which the late rank came after it
record LateStep(String operation, Instant since, int waiter, int late, double seconds) {
  private static final Pattern OPERATION = Pattern.compile("NCCL INFO (\\w+): opCount");

  /// The first late call among a finding's proof.
  static Optional<LateStep> of(Finding finding) {
    return finding.evidence().stream().flatMap(line -> of(line).stream()).findFirst();
  }

  private static Optional<LateStep> of(Evidence line) {
    var after = line.after();
    var at = line.time();
    var rank = line.rank();
    if (after == null || at == null || rank == null) {
      return Optional.empty();
    }
    var operation = OPERATION.matcher(line.text());
    return Optional.of(
        new LateStep(
            operation.find() ? operation.group(1) : "",
            at.minusNanos(Math.round(after.seconds() * 1e9)),
            after.rank(),
            rank,
            after.seconds()));
  }

  /// `+120 ms after rank 2`.
  String after() {
    return "+%s after rank %d".formatted(Figures.seconds(seconds), waiter);
  }
}
