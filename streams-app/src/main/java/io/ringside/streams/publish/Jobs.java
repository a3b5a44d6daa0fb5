package io.ringside.streams.publish;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// All jobs from one look at the views. Findings without a job (about a node's sensor, for example)
/// are kept apart.
///
/// @param all worst first: running jobs in trouble come before jobs that are well or over
/// @param unowned findings without a job
public record Jobs(List<Job> all, List<Finding> unowned) {
  /// Position of a job in the list.
  public record Place(int trouble, boolean running, JobKey key) implements Comparable<Place> {
    private static final Comparator<Place> WORST_FIRST =
        Comparator.comparingInt(Place::trouble)
            .reversed()
            .thenComparing(Place::running, Comparator.reverseOrder())
            .thenComparing(Place::key);

    public static Place of(Job job) {
      return new Place(Jobs.trouble(job), job.running(), job.key());
    }

    /// Reads a position from {@link #parts}.
    public static Place read(String[] parts) {
      return new Place(
          Integer.parseInt(parts[0]),
          Boolean.parseBoolean(parts[1]),
          new JobKey(parts[2], parts[3], parts[4]));
    }

    /// The position as texts.
    public String[] parts() {
      return new String[] {
        Integer.toString(trouble),
        Boolean.toString(running),
        key.cluster(),
        key.namespace(),
        key.job()
      };
    }

    @Override
    public int compareTo(Place other) {
      return WORST_FIRST.compare(this, other);
    }
  }

  public Jobs {
    all = all.stream().sorted(Comparator.comparing(Place::of)).toList();
    unowned = List.copyOf(unowned);
  }

  /// Takes one look at the views.
  public static Jobs of(JobViews views) {
    return of(views.look());
  }

  public static Jobs of(ResultsSnapshot look) {
    Map<JobKey, List<RunSummary>> runs = new TreeMap<>();
    Map<JobKey, List<Finding>> findings = new TreeMap<>();
    List<Finding> unowned = new ArrayList<>();
    look.runs().forEach(run -> at(runs, JobKey.of(run)).add(run));
    for (var finding : look.findings()) {
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
