package io.ringside.streams.topology;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunSummary;
import java.time.Instant;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What findings and runs, the two kinds of published results, have in common.
///
/// @param store name of the store that keeps them
/// @param step name of the step that receives changes
/// @param id ID within the job
/// @param last time when it was last true; null if it never becomes old, such as a run of which no
///   line had a time
/// @param within copies it to another job key
record ResultKind<T>(
    String store,
    String step,
    Function<T, String> id,
    Function<T, @Nullable Instant> last,
    Function<T, JobKey> job,
    BiFunction<T, JobKey, T> within) {

  static final ResultKind<Finding> FINDINGS =
      new ResultKind<>(
          Stores.FINDINGS,
          Steps.FINDINGS,
          Finding::id,
          finding -> last(finding.detectedAt(), finding.until()),
          JobKey::of,
          (finding, job) -> finding.with(its -> its.job = job));

  static final ResultKind<RunSummary> RUNS =
      new ResultKind<>(
          Stores.RUNS,
          Steps.RUNS,
          RunSummary::run,
          run -> last(run.since(), run.until()),
          JobKey::of,
          (run, job) -> run.within(job.namespace()));

  private static @Nullable Instant last(@Nullable Instant... times) {
    return Stream.of(times).filter(Objects::nonNull).max(Instant::compareTo).orElse(null);
  }
}
