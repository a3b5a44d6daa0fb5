package io.ringside.streams.observe;

import io.ringside.schemas.event.Check;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunAggregates;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.RunSummary.RankWait;
import io.ringside.streams.publish.Job;
import org.jspecify.annotations.Nullable;

/// Series about a job's newest run, from the ledger.
final class RunSamples {
  private RunSamples() {}

  static void add(Samples samples, Job job) {
    var key = job.key();
    int calm = job.judged() ? 0 : -1;
    samples.put(
        Metric.JOB_VERDICT, job.worst().map(worst -> worst.ordinal() + 1).orElse(calm), key);
    samples.put(Metric.JOB_RUNNING, job.running() ? 1 : 0, key);
    job.state().ifPresent(state -> samples.put(Metric.JOB_STATE, 1, key, state.label()));
    job.current().ifPresent(run -> add(samples, key, run));
  }

  private static void add(Samples samples, JobKey job, RunSummary run) {
    samples.put(
        Metric.JOB_INFO,
        1,
        job,
        run.run(),
        run.instanceType(),
        run.ncclVersion(),
        run.pluginVersion(),
        run.libfabricVersion());
    samples.put(Metric.JOB_TEAM, 1, job, run.team().isEmpty() ? run.namespace() : run.team());
    samples.put(Metric.JOB_ATTEMPT, run.attempt(), job);
    samples.put(Metric.JOB_NODES, run.nodes().size(), job);
    samples.put(Metric.JOB_CHANNELS, run.channels(), job);
    samples.put(Metric.JOB_RANKS_SEEN, run.ranksSeen(), job);
    samples.put(Metric.JOB_RANKS_EXPECTED, run.nranks(), job);
    var until = run.until();
    if (until != null) {
      samples.put(Metric.JOB_LAST_LINE, Nanos.seconds(Nanos.of(until)), job);
    }
    transports(samples, job, run);
    for (var check : run.checklist()) {
      samples.put(Metric.CHECKLIST, value(check.status()), job, check.name());
    }
    waits(samples, job, run);
    var traffic = run.traffic();
    if (traffic != null) {
      samples.put(Metric.NETWORK_BYTES, traffic.rdmaBytes(), job, "rdma");
      samples.put(Metric.NETWORK_BYTES, traffic.ethernetBytes(), job, "ethernet");
    }
    steps(samples, job, run);
    var reading = run.reading();
    samples.put(Metric.LINES, reading.lines(), job);
    samples.put(Metric.NCCL_LINES, reading.ncclLines(), job);
    samples.put(
        Metric.UNPARSED_LINES,
        reading.unknown().values().stream().mapToLong(Integer::longValue).sum(),
        job);
  }

  private static void transports(Samples samples, JobKey job, RunSummary run) {
    if (!run.network().isEmpty()) {
      samples.put(Metric.TRANSPORT_INFO, 1, job, run.network());
    }
    for (var transport : run.transports()) {
      samples.put(
          Metric.TRANSPORT_EDGES,
          transport.edges(),
          job,
          transport.edgeClass(),
          transport.transport());
      if (!transport.expected().isEmpty()) {
        samples.put(Metric.TRANSPORT_EXPECTED, 1, job, transport.edgeClass(), transport.expected());
      }
    }
  }

  private static void waits(Samples samples, JobKey job, RunSummary run) {
    var waits = run.waits();
    if (waits.basis().isEmpty()) {
      return; // waits that are not judged must not look like no waits
    }
    samples.put(Metric.ROUNDS, waits.rounds(), job);
    samples.put(Metric.LATE_ROUNDS, waits.lateRounds(), job);
    samples.put(Metric.ROUNDS_LEFT_OUT, waits.leftOut(), job);
    samples.put(Metric.WAIT_SECONDS, waits.lostSeconds(), job);
    var aggregates = run.aggregates();
    samples.put(
        Metric.WAIT_GPU_SECONDS,
        aggregates == null
            ? waits.lostSeconds() * Math.max(0, run.nranks() - 1)
            : aggregates.gpuSecondsLost(),
        job);
    var histogram = aggregates == null ? null : aggregates.waitHistogram();
    if (histogram != null) {
      double sum = waits.ranks().stream().mapToDouble(RankWait::waitSeconds).sum();
      samples.put(Metric.ROUND_WAIT, histogram.seconds(), histogram.counts(), sum, job);
    }
  }

  private static void steps(Samples samples, JobKey job, RunSummary run) {
    var aggregates = run.aggregates();
    var steps = aggregates == null ? null : aggregates.steps();
    if (steps == null) {
      return;
    }
    samples.put(Metric.STEPS, steps.steps(), job);
    known(samples, Metric.STEP_SECONDS, newest(steps), 1e-3, job);
    known(samples, Metric.STEP_BASELINE, steps.baselineMillis(), 1e-3, job);
    known(samples, Metric.SAMPLE_RATE, steps.samplesPerSecond(), 1, job);
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
      Samples samples, Metric metric, @Nullable Double value, double factor, JobKey job) {
    if (value != null) {
      samples.put(metric, value * factor, job);
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
