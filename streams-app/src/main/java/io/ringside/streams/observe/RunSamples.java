package io.ringside.streams.observe;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunAggregates;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.RankWait;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.publish.Job;
import org.jspecify.annotations.Nullable;

/// What the ledger says about a job's newest run.
final class RunSamples {
  private RunSamples() {}

  static void add(Samples samples, Job job) {
    var cluster = job.key().cluster();
    var name = job.key().job();
    samples.put(
        Metric.JOB_VERDICT, job.worst().map(Severity::ordinal).orElse(-1) + 1, cluster, name);
    samples.put(Metric.JOB_RUNNING, job.running() ? 1 : 0, cluster, name);
    job.state().ifPresent(state -> samples.put(Metric.JOB_STATE, 1, cluster, name, state.label()));
    job.current().ifPresent(run -> add(samples, cluster, name, run));
  }

  private static void add(Samples samples, String cluster, String job, RunSummary run) {
    samples.put(
        Metric.JOB_INFO,
        1,
        cluster,
        job,
        run.run(),
        run.instanceType(),
        run.ncclVersion(),
        run.pluginVersion(),
        run.libfabricVersion());
    samples.put(Metric.JOB_ATTEMPT, run.attempt(), cluster, job);
    samples.put(Metric.JOB_NODES, run.nodes().size(), cluster, job);
    samples.put(Metric.JOB_CHANNELS, run.channels(), cluster, job);
    samples.put(Metric.JOB_RANKS_SEEN, run.ranksSeen(), cluster, job);
    samples.put(Metric.JOB_RANKS_EXPECTED, run.nranks(), cluster, job);
    var until = run.until();
    if (until != null) {
      samples.put(Metric.JOB_LAST_LINE, Nanos.seconds(Nanos.of(until)), cluster, job);
    }
    transports(samples, cluster, job, run);
    for (var check : run.checklist()) {
      samples.put(Metric.CHECKLIST, value(check.status()), cluster, job, check.name());
    }
    waits(samples, cluster, job, run);
    var traffic = run.traffic();
    if (traffic != null) {
      samples.put(Metric.NETWORK_BYTES, traffic.rdmaBytes(), cluster, job, "rdma");
      samples.put(Metric.NETWORK_BYTES, traffic.ethernetBytes(), cluster, job, "ethernet");
    }
    steps(samples, cluster, job, run);
    var reading = run.reading();
    samples.put(Metric.LINES, reading.lines(), cluster, job);
    samples.put(Metric.NCCL_LINES, reading.ncclLines(), cluster, job);
    samples.put(
        Metric.UNPARSED_LINES,
        reading.unknown().values().stream().mapToLong(Integer::longValue).sum(),
        cluster,
        job);
  }

  private static void transports(Samples samples, String cluster, String job, RunSummary run) {
    if (!run.network().isEmpty()) {
      samples.put(Metric.TRANSPORT_INFO, 1, cluster, job, run.network());
    }
    for (var transport : run.transports()) {
      samples.put(
          Metric.TRANSPORT_EDGES,
          transport.edges(),
          cluster,
          job,
          transport.edgeClass(),
          transport.transport());
      if (!transport.expected().isEmpty()) {
        samples.put(
            Metric.TRANSPORT_EXPECTED,
            1,
            cluster,
            job,
            transport.edgeClass(),
            transport.expected());
      }
    }
  }

  private static void waits(Samples samples, String cluster, String job, RunSummary run) {
    var waits = run.waits();
    if (waits.basis().isEmpty()) {
      return; // not judged is not the same as no wait
    }
    samples.put(Metric.ROUNDS, waits.rounds(), cluster, job);
    samples.put(Metric.LATE_ROUNDS, waits.lateRounds(), cluster, job);
    samples.put(Metric.ROUNDS_LEFT_OUT, waits.leftOut(), cluster, job);
    samples.put(Metric.WAIT_SECONDS, waits.lostSeconds(), cluster, job);
    var aggregates = run.aggregates();
    samples.put(
        Metric.WAIT_GPU_SECONDS,
        aggregates == null
            ? waits.lostSeconds() * Math.max(0, run.nranks() - 1)
            : aggregates.gpuSecondsLost(),
        cluster,
        job);
    var histogram = aggregates == null ? null : aggregates.waitHistogram();
    if (histogram != null) {
      double sum = waits.ranks().stream().mapToDouble(RankWait::waitSeconds).sum();
      samples.put(Metric.ROUND_WAIT, histogram.seconds(), histogram.counts(), sum, cluster, job);
    }
  }

  private static void steps(Samples samples, String cluster, String job, RunSummary run) {
    var aggregates = run.aggregates();
    var steps = aggregates == null ? null : aggregates.steps();
    if (steps == null) {
      return;
    }
    samples.put(Metric.STEPS, steps.steps(), cluster, job);
    known(samples, Metric.STEP_SECONDS, newest(steps), 1e-3, cluster, job);
    known(samples, Metric.STEP_BASELINE, steps.baselineMillis(), 1e-3, cluster, job);
    known(samples, Metric.SAMPLE_RATE, steps.samplesPerSecond(), 1, cluster, job);
  }

  private static @Nullable Double newest(RunAggregates.Steps steps) {
    if (steps.recentMillis() != null) {
      return steps.recentMillis();
    }
    return steps.points().isEmpty()
        ? steps.medianMillis()
        : Double.valueOf(steps.points().getLast().medianMillis());
  }

  private static void known(
      Samples samples,
      Metric metric,
      @Nullable Double value,
      double factor,
      String cluster,
      String job) {
    if (value != null) {
      samples.put(metric, value * factor, cluster, job);
    }
  }

  private static double value(Check.Status status) {
    return switch (status) {
      case PASS -> 1;
      case FAIL -> 0;
      case UNKNOWN -> -1;
    };
  }
}
