package io.ringside.streams.publish;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A job as one row: the record behind `GET /api/jobs`.
///
/// @param namespace empty outside of Kubernetes
/// @param verdict `critical`, `warning`, `info`, `ok`, or `unknown` if nothing could be judged
/// @param state state of the newest run that is not over, else of the newest run: `starting`,
///     `running`, `paused`, `silent`, `ended`, `failed`, `stopped`, `lost`, `superseded`; `unknown`
///     if no run is known
/// @param headline the most important result, as one sentence
/// @param run the newest run, empty if none is known
/// @param runs number of runs in the ledger
/// @param lostGpuSeconds sum of the bills of the newest run and of runs that are not over, null if
///   nothing is billed
public record JobOverview(
    String cluster,
    String namespace,
    String job,
    String verdict,
    String state,
    String headline,
    String run,
    int attempt,
    int runs,
    @Nullable Instant since,
    @Nullable Instant until,
    int nranks,
    int ranksSeen,
    List<String> nodes,
    int pods,
    String instanceType,
    String ncclVersion,
    String network,
    Counts findings,
    CheckCounts checks,
    @Nullable Double lostGpuSeconds) {

  /// Numbers of findings; active ones by severity.
  public record Counts(int critical, int warning, int info, int cleared) {}

  /// Numbers of checks by status.
  public record CheckCounts(int pass, int fail, int unknown) {}

  /// Overview of the job as it is now.
  public static JobOverview of(Job job) {
    var active = job.active();
    var current = job.current();
    return new JobOverview(
        job.key().cluster(),
        job.key().namespace(),
        job.key().job(),
        job.verdict(),
        job.state().map(RunSummary.State::label).orElse("unknown"),
        headline(job),
        current.map(RunSummary::run).orElse(""),
        current.map(RunSummary::attempt).orElse(0),
        job.runs().size(),
        current.map(RunSummary::since).orElse(null),
        current.map(RunSummary::until).orElse(null),
        current.map(RunSummary::nranks).orElse(0),
        current.map(RunSummary::ranksSeen).orElse(0),
        current.map(RunSummary::nodes).orElse(List.of()),
        current.map(run -> run.pods().size()).orElse(0),
        current.map(RunSummary::instanceType).orElse(""),
        current.map(RunSummary::ncclVersion).orElse(""),
        current.map(RunSummary::network).orElse(""),
        counts(job, active),
        checks(current),
        lost(job.liveRuns()));
  }

  /// The finding that {@link FindingOrder} puts first, or for a failed job the cause of its
  /// failure. Findings of an earlier attempt never head the current one.
  private static String headline(Job job) {
    return job.death()
        .or(
            () ->
                job.live().stream()
                    .filter(
                        finding ->
                            finding.state() == Finding.State.ACTIVE
                                || finding.severity() != Severity.INFO
                                || !job.goesOn())
                    .findFirst())
        .map(
            finding ->
                finding.state().over() && finding.kind() != FindingKind.JOB_FAILED
                    ? "Ended: " + finding.summary()
                    : finding.summary())
        .orElse("Nothing to report.");
  }

  private static Counts counts(Job job, List<Finding> active) {
    int[] by = new int[Severity.values().length];
    active.forEach(finding -> by[finding.severity().ordinal()]++);
    return new Counts(
        by[Severity.CRITICAL.ordinal()],
        by[Severity.WARNING.ordinal()],
        by[Severity.INFO.ordinal()],
        job.findings().size() - active.size());
  }

  private static CheckCounts checks(Optional<RunSummary> run) {
    int[] by = new int[Check.Status.values().length];
    run.ifPresent(it -> it.checklist().forEach(check -> by[check.status().ordinal()]++));
    return new CheckCounts(
        by[Check.Status.PASS.ordinal()],
        by[Check.Status.FAIL.ordinal()],
        by[Check.Status.UNKNOWN.ordinal()]);
  }

  private static @Nullable Double lost(List<RunSummary> live) {
    var billed =
        live.stream()
            .map(RunSummary::bill)
            .filter(Objects::nonNull)
            .flatMap(bill -> bill.items().stream())
            .mapToDouble(RunBill.Item::gpuSeconds)
            .summaryStatistics();
    return billed.getCount() == 0 ? null : billed.getSum();
  }
}
