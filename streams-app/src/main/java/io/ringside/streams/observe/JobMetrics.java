package io.ringside.streams.observe;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.ringside.schemas.event.JobKey;
import io.ringside.streams.config.MetricsConfig;
import io.ringside.streams.publish.Job;
import io.ringside.streams.publish.JobViews;
import io.ringside.streams.publish.Jobs;
import io.ringside.streams.publish.ViewsUnavailable;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Series about jobs, from one look at the views per scrape. Limited to some jobs, the worst and
/// the running ones first, and to some ranks of each.
///
/// An ended job keeps its series for a while. The time counts from the first scrape that saw the
/// job ended, not from the times in its log, which may be a recording. Thread-safe.
public final class JobMetrics implements MultiCollector {
  private final JobViews views;
  private final MetricsConfig bounds;
  private final InstantSource clock;
  private final Map<JobKey, Instant> endedAt = new HashMap<>();
  private final LossSamples lost = new LossSamples();
  private final RankSamples ranks = new RankSamples();

  public JobMetrics(JobViews views, MetricsConfig bounds, InstantSource clock) {
    this.views = views;
    this.bounds = bounds;
    this.clock = clock;
  }

  @Override
  public synchronized MetricSnapshots collect() {
    var samples = new Samples();
    try {
      add(samples, Jobs.of(views));
      samples.put(Metric.VIEWS_AVAILABLE, 1);
    } catch (ViewsUnavailable e) {
      samples.put(Metric.VIEWS_AVAILABLE, 0);
    }
    return samples.snapshots();
  }

  private void add(Samples samples, Jobs jobs) {
    countJobs(samples, jobs.all());
    var fresh = fresh(jobs.all());
    int folded = 0;
    int withoutWaits = 0;
    int gpus = 0;
    for (var job : fresh.stream().limit(bounds.maxJobs()).toList()) {
      RunSamples.add(samples, job);
      lost.add(samples, job);
      FindingSamples.add(samples, job.key(), job.active());
      FindingSamples.addTold(samples, job.key(), job.live(), clock.instant());
      folded += ranks.add(samples, job, bounds.topRanks());
      withoutWaits += RankSamples.addWaits(samples, job, bounds.rankSeries());
      gpus += GpuSamples.add(samples, job, bounds.topRanks());
    }
    var shown = fresh.stream().map(Job::key).collect(Collectors.toSet());
    lost.keep(shown);
    ranks.keep(shown);
    FindingSamples.addUnowned(samples, jobs.unowned());
    samples.put(Metric.FOLDED, Math.max(0, fresh.size() - bounds.maxJobs()), "jobs");
    samples.put(Metric.FOLDED, jobs.all().size() - fresh.size(), "retired");
    samples.put(Metric.FOLDED, folded, "ranks");
    samples.put(Metric.FOLDED, withoutWaits, "rank-waits");
    samples.put(Metric.FOLDED, gpus, "gpus");
  }

  private static void countJobs(Samples samples, List<Job> jobs) {
    jobs.stream()
        .collect(
            Collectors.groupingBy(
                job -> List.of(job.verdict(), job.goesOn() ? "running" : "ended"),
                Collectors.counting()))
        .forEach(
            (labels, count) ->
                samples.put(Metric.JOBS, count, labels.getFirst(), labels.getLast()));
  }

  /// The jobs whose series are still kept. Also forgets the ends of jobs that are gone or run
  /// again.
  private List<Job> fresh(List<Job> jobs) {
    var now = clock.instant();
    var ended = new HashMap<JobKey, Instant>();
    var fresh = new ArrayList<Job>();
    for (var job : jobs) {
      if (job.goesOn()) {
        fresh.add(job);
        continue;
      }
      var since = endedAt.getOrDefault(job.key(), now);
      ended.put(job.key(), since);
      if (now.isBefore(since.plus(bounds.retireAfter()))) {
        fresh.add(job);
      }
    }
    endedAt.clear();
    endedAt.putAll(ended);
    return fresh;
  }
}
