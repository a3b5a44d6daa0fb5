package io.ringside.streams.observe;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.publish.Job;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Series about the losses in the bills of a job's runs, by cause, and about predicted losses.
/// Bills are estimates and may fall. A counter must not fall, so it keeps its value until the
/// estimate exceeds it again. Not thread-safe.
final class LossSamples {
  /// Causes whose counters start at 0 with the job, so that their first increase is visible.
  private static final List<FindingKind> FROM_THE_START =
      List.of(
          FindingKind.STRAGGLER,
          FindingKind.BARRIER_WAIT,
          FindingKind.STEP_REGRESSION,
          FindingKind.LATE_START,
          FindingKind.HANG);

  private final Map<JobKey, Map<FindingKind, Lost>> most = new HashMap<>();

  private record Lost(double gpuSeconds, double money) {
    static final Lost NOTHING = new Lost(0, 0);

    Lost plus(RunBill.Item item) {
      var price = item.money();
      return new Lost(gpuSeconds + item.gpuSeconds(), money + (price == null ? 0 : price));
    }

    Lost atLeast(Lost before) {
      return new Lost(Math.max(gpuSeconds, before.gpuSeconds), Math.max(money, before.money));
    }
  }

  void add(Samples samples, Job job) {
    var lost = new TreeMap<FindingKind, Lost>();
    FROM_THE_START.forEach(cause -> lost.put(cause, Lost.NOTHING));
    job.runs().stream()
        .map(RunSummary::bill)
        .filter(Objects::nonNull)
        .flatMap(bill -> bill.items().stream())
        .forEach(
            item ->
                lost.put(item.cause(), lost.getOrDefault(item.cause(), Lost.NOTHING).plus(item)));
    var ever = most.computeIfAbsent(job.key(), _ -> new TreeMap<>());
    lost.forEach(
        (cause, now) -> ever.put(cause, now.atLeast(ever.getOrDefault(cause, Lost.NOTHING))));
    var price = job.current().map(RunSummary::costPerGpuHour).orElse(null);
    if (price != null) {
      samples.put(Metric.GPU_HOUR_COST, price, job.key());
    }
    job.liveRuns().stream()
        .map(RunSummary::bill)
        .filter(Objects::nonNull)
        .flatMap(bill -> bill.ahead().stream())
        .collect(
            Collectors.groupingBy(
                RunBill.Ahead::cause, Collectors.summingDouble(RunBill.Ahead::gpuSecondsPerHour)))
        .forEach(
            (cause, losing) -> samples.put(Metric.LOSING, losing / 3600, job.key(), cause.label()));
    ever.forEach(
        (cause, all) -> {
          samples.put(Metric.LOST, all.gpuSeconds(), job.key(), cause.label());
          if (price != null) {
            samples.put(Metric.LOST_MONEY, all.money(), job.key(), cause.label());
          }
        });
  }

  /// Forgets all other jobs.
  void keep(Set<JobKey> jobs) {
    most.keySet().retainAll(jobs);
  }
}
