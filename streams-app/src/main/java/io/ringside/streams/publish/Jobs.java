package io.ringside.streams.publish;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// All jobs of one look at the views. Findings that name no job (a node's sensor, for example) belong
/// to none and are kept apart.
///
/// @param all worst first: what is running and in trouble comes before what is well or over
/// @param unowned findings without a job
public record Jobs(List<Job> all, List<Finding> unowned) {
  private static final Comparator<Job> WORST_FIRST =
      Comparator.comparingInt(Jobs::trouble)
          .reversed()
          .thenComparing(Job::running, Comparator.reverseOrder())
          .thenComparing(Job::key);

  public Jobs {
    all = all.stream().sorted(WORST_FIRST).toList();
    unowned = List.copyOf(unowned);
  }

  /// Looks once at the views.
  public static Jobs of(JobViews views) {
    Map<JobKey, List<RunSummary>> runs = new TreeMap<>();
    Map<JobKey, List<Finding>> findings = new TreeMap<>();
    List<Finding> unowned = new ArrayList<>();
    views.runs().forEach(run -> at(runs, JobKey.of(run)).add(run));
    for (var finding : views.findings()) {
      (finding.job().isEmpty() ? unowned : at(findings, JobKey.of(finding))).add(finding);
    }
    Set<JobKey> keys = new TreeSet<>(runs.keySet());
    keys.addAll(findings.keySet());
    return new Jobs(
        keys.stream()
            .map(
                key ->
                    new Job(
                        key,
                        runs.getOrDefault(key, List.of()),
                        findings.getOrDefault(key, List.of())))
            .toList(),
        unowned);
  }

  private static int trouble(Job job) {
    return job.worst().map(Severity::ordinal).orElse(-1);
  }

  private static <T> List<T> at(Map<JobKey, List<T>> map, JobKey key) {
    return map.computeIfAbsent(key, _ -> new ArrayList<>());
  }
}
