package io.ringside.streams.observe;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.publish.Causes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/// Series about active findings by kind: their number, their begin, and their cost.
final class FindingSamples {
  /// Kinds that state a fact when they are found and end with the run.
  private static final Set<FindingKind> FACTS =
      Set.of(
          FindingKind.JOB_FAILED,
          FindingKind.NCCL_ERROR,
          FindingKind.LATE_START,
          FindingKind.GPU_ERROR,
          FindingKind.BANDWIDTH_BELOW_EXPECTED);

  private static final Duration NEWS = Duration.ofMinutes(10);

  private FindingSamples() {}

  /// @param active active findings of one job
  static void add(Samples samples, JobKey job, List<Finding> active) {
    var causes = Causes.among(active);
    var worst = new HashMap<String, Severity>();
    for (var finding : active) {
      worst.merge(
          causes.root(finding).id(), finding.severity(), (a, b) -> a.compareTo(b) > 0 ? a : b);
    }
    active.stream()
        .filter(it -> !causes.isEffect(it))
        .collect(
            Collectors.groupingBy(
                it -> new Group(it.kind().label(), worst.getOrDefault(it.id(), it.severity()))))
        .forEach((group, findings) -> byGroup(samples, job, group, findings));
    active.stream()
        .filter(causes::isEffect)
        .collect(
            Collectors.groupingBy(
                it ->
                    List.of(
                        it.kind().label(), it.severity().label(), causes.root(it).kind().label()),
                Collectors.counting()))
        .forEach(
            (labels, count) ->
                samples.put(
                    Metric.SYMPTOMS_ACTIVE,
                    count,
                    job,
                    labels.get(0),
                    labels.get(1),
                    labels.get(2)));
    active.stream()
        .collect(Collectors.groupingBy(it -> it.kind().label()))
        .forEach((kind, findings) -> costs(samples, job, kind, findings));
  }

  /// Adds facts about a run that is over: they need no action any more, but people should still see
  /// them.
  ///
  /// @param live findings about the job's live runs and its newest run
  static void addTold(Samples samples, JobKey job, List<Finding> live, Instant now) {
    live.stream()
        .filter(it -> it.state().over() && FACTS.contains(it.kind()))
        .filter(it -> it.causedBy() == null)
        .filter(it -> now.isBefore(it.detectedAt().plus(NEWS)))
        .collect(
            Collectors.groupingBy(
                it -> new Group(it.kind().label(), it.severity()), Collectors.counting()))
        .forEach(
            (group, count) ->
                samples.put(
                    Metric.FINDINGS_TOLD, count, job, group.kind(), group.severity().label()));
  }

  /// Adds findings about nodes, under an empty job.
  static void addUnowned(Samples samples, List<Finding> findings) {
    Map<String, List<Finding>> byCluster =
        findings.stream()
            .filter(it -> it.state() == Finding.State.ACTIVE)
            .collect(Collectors.groupingBy(Finding::cluster));
    byCluster.forEach((cluster, active) -> add(samples, new JobKey(cluster, "", ""), active));
  }

  private static void byGroup(Samples samples, JobKey job, Group group, List<Finding> findings) {
    var severity = group.severity().label();
    samples.put(Metric.FINDINGS_ACTIVE, findings.size(), job, group.kind(), severity);
    findings.stream()
        .map(Finding::since)
        .filter(Objects::nonNull)
        .mapToDouble(since -> Nanos.seconds(Nanos.of(since)))
        .min()
        .ifPresent(
            oldest -> samples.put(Metric.FINDING_SINCE, oldest, job, group.kind(), severity));
  }

  private static void costs(Samples samples, JobKey job, String kind, List<Finding> findings) {
    var lost =
        findings.stream()
            .map(it -> it.cost().gpuSeconds())
            .filter(Objects::nonNull)
            .mapToDouble(Double::doubleValue)
            .summaryStatistics();
    if (lost.getCount() > 0) {
      samples.put(Metric.FINDING_LOST, lost.getSum(), job, kind);
    }
    findings.stream()
        .map(it -> it.cost().slowdown())
        .filter(Objects::nonNull)
        .mapToDouble(Double::doubleValue)
        .max()
        .ifPresent(worst -> samples.put(Metric.FINDING_SLOWDOWN, worst, job, kind));
  }

  private record Group(String kind, Severity severity) {}
}
