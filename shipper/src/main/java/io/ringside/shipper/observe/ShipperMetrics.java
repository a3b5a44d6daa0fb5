package io.ringside.shipper.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.ringside.platform.build.Build;
import io.ringside.shipper.config.ReloadCounts;
import io.ringside.shipper.publish.PublishCounts;
import io.ringside.shipper.source.FailureTally;
import io.ringside.shipper.source.dump.DumpCounts;
import io.ringside.shipper.source.gpu.GpuCounts;
import io.ringside.shipper.source.kernel.KernelCounts;
import io.ringside.shipper.source.kubernetes.KubernetesCounts;
import io.ringside.shipper.source.log.follow.ByteBudget;
import io.ringside.shipper.source.log.follow.TailCounts;
import io.ringside.shipper.source.log.line.LineCounts;
import io.ringside.shipper.source.ras.RasCounts;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/// All meters of the agent. All but the build's begin with `ringside_shipper_`. All carry the
/// agent's cluster and node, because instance names differ between Prometheus servers, and two
/// instances may share a name when several servers are read as one.
public final class ShipperMetrics implements AutoCloseable {
  private static final double NANOS = 1e9;
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  private final NodeGauges node;

  /// @param cluster of the agent, may be empty
  /// @param name of the agent's node
  public ShipperMetrics(String cluster, String name) {
    registry.config().commonTags("cluster", cluster, "node", name);
    node = new NodeGauges(registry);
    Gauge.builder("ringside.shipper.info", () -> 1)
        .description("The agent and its node")
        .register(registry);
    var build = Build.current();
    Gauge.builder("ringside.build.info", () -> 1)
        .description("Which build of which program runs: shipper or streams")
        .tags("program", "shipper", "version", build.version(), "revision", build.revision())
        .register(registry);
  }

  /// This registry's meters as Prometheus text.
  public String scrape() {
    node.refresh();
    return registry.scrape();
  }

  /// The gauges of this node's GPUs and interfaces.
  public NodeGauges node() {
    return node;
  }

  public void lines(LineCounts lines) {
    counter("lines", "Lines put into chunks", lines.lines);
    counter("lines.cut", "Lines longer than the limit", lines.cut);
    counter("cut.bytes", "Bytes dropped behind the limit of a line", lines.cutBytes);
    counter("secrets.masked", "Secrets hidden in lines before they left the node", lines.masked);
    counter("invalid.utf8", "Byte sequences that are no UTF-8", lines.invalid);
    counter("nul.bytes", "NUL bytes skipped where a line should begin", lines.nulBytes);
    counter("bars.dropped", "States of progress bars dropped for a later one", lines.bars);
  }

  public void files(TailCounts files) {
    counter("read.bytes", "Bytes of log files consumed, uncompressed", files.bytes);
    counter("chunks", "Chunks handed to the producer", files.chunks);
    counter("rotations", "Log files replaced at their path", files.rotations);
    counter("truncations", "Log files emptied in place", files.truncations);
    counter(
        "left.behind.bytes",
        "Bytes of log files that were gone before they were read",
        files.bytesLeftBehind);
    counter("read.failures", "Failed tries to read a log file", files.readFailures);
    counter("rewinds", "Log files read again after a refused record", files.rewinds);
    counter("checkpoint.failures", "Checkpoints not written", files.checkpointFailures);
    gauge("files", "Log files followed", files, f -> f.files.get());
    gauge("lag.bytes", "Bytes written and not yet acknowledged", files, f -> f.lagBytes.get());
    gauge(
        "lag.seconds",
        "For how long not everything written has been acknowledged",
        files,
        f -> f.lagMillis.get() / 1e3);
  }

  public void budget(ByteBudget budget) {
    gauge("in.flight.bytes", "Bytes on their way to the broker", budget, ByteBudget::used);
    gauge(
        "in.flight.limit.bytes",
        "Limit of bytes in flight at which reading stops",
        budget,
        ByteBudget::limit);
  }

  public void publish(PublishCounts counts, LongAdder renewals, LongSupplier retries) {
    counter("producer.renewals", "Producers made after one failed for good", renewals);
    counter("records.sent", "Records handed to the producer", counts.sent);
    counter("records.acked", "Records the broker has", counts.acked);
    counter("records.refused", "Records refused and sent again", counts.failed);
    counter("acked.bytes", "Bytes of acknowledged records, uncompressed", counts.bytes);
    counter("dead.letters", "Records too large for the broker", counts.deadLetters);
    FunctionCounter.builder("ringside.shipper.record.retries", retries, LongSupplier::getAsLong)
        .description("Times the producer sent a record again")
        .register(registry);
  }

  /// @param dropped samples not sent because too many were in flight
  public void gpus(GpuCounts gpus, LongAdder dropped, LongSupplier ticker) {
    counter("gpu.samples", "Polls of all GPUs", gpus.samples);
    counter("gpu.samples.dropped", "Polls not sent because the broker was away", dropped);
    counter("gpu.sensor.restarts", "Times nvidia-smi ended", gpus.restarts);
    counter("gpu.sensor.stalls", "Times nvidia-smi fell silent and was killed", gpus.stalls);
    gauge(
        "gpu.sample.age.seconds",
        "Time since the last poll of the GPUs, NaN before the first",
        gpus,
        g ->
            g.lastSampleNanos.get() == 0
                ? Double.NaN
                : (ticker.getAsLong() - g.lastSampleNanos.get()) / NANOS);
  }

  public void reloads(ReloadCounts reloads) {
    counter("config.reloads", "Changes of the configuration taken over", reloads.taken);
    counter("config.refused", "Changes of the configuration refused", reloads.refused);
    gauge(
        "config.stale",
        "1 if the configuration file says something else than what is in force",
        reloads,
        r -> r.stale.get() ? 1 : 0);
  }

  /// @param dropped reports not sent because too many were in flight
  public void reports(LongAdder dropped) {
    counter("reports.dropped", "Reports on the node not sent because the broker was away", dropped);
  }

  public void kernel(KernelCounts kernel) {
    counter("kernel.lines", "Lines of NVIDIA's driver in the kernel's log", kernel.lines);
    counter(
        "kernel.lines.dropped",
        "Lines of the driver not sent: too many in a minute, or the broker was away",
        kernel.dropped);
    counter(
        "kernel.overrun.records",
        "Records of the kernel's log overwritten before they were read",
        kernel.overrun);
    counter("kernel.failures", "Failed tries to open or read the kernel's log", kernel.failures);
  }

  public void ras(RasCounts ras) {
    counter("ras.answers", "Answers of NCCL's RAS", ras.answers);
    counter(
        "ras.answers.dropped",
        "Answers of RAS not sent: too large for a record, or the broker was away",
        ras.dropped);
    tally("ras.failures", "Questions to RAS without an answer", ras.failures);
  }

  public void kubernetes(KubernetesCounts kubernetes) {
    counter("kubernetes.ends", "Ends of pods that Kubernetes told of", kubernetes.ends);
    counter(
        "kubernetes.ends.dropped",
        "Ends of pods not sent because the broker was away",
        kubernetes.dropped);
    tally(
        "kubernetes.failures",
        "What went wrong with the watch of this node's pods",
        kubernetes.failures);
  }

  public void dumps(DumpCounts dumps) {
    counter("dumps", "Dumps of PyTorch's flight recorder sent whole", dumps.dumps);
    counter("dump.requests", "Pipes by which a dump was asked for", dumps.asked);
    tally(
        "dump.flaws",
        "Files with a dump's name that are unreadable, truncated, too large or no dump",
        dumps.flaws);
  }

  public void inspector(TailCounts files) {
    counter("inspector.read.bytes", "Bytes of NCCL Inspector's files consumed", files.bytes);
    counter(
        "inspector.left.behind.bytes",
        "Bytes of the Inspector's files that were gone before they were read",
        files.bytesLeftBehind);
    counter(
        "inspector.read.failures",
        "Failed tries to read a file of the Inspector",
        files.readFailures);
  }

  /// @param failures readings of the GPUs' links that returned nothing
  public void hardware(LongAdder failures) {
    counter("hardware.failures", "Looks at the GPUs' links that told nothing", failures);
  }

  private void counter(String name, String description, LongAdder counted) {
    FunctionCounter.builder("ringside.shipper." + name, counted, LongAdder::sum)
        .description(description)
        .register(registry);
  }

  private void tally(String name, String description, FailureTally<?> counts) {
    counts.each(
        (reason, counted) ->
            FunctionCounter.builder("ringside.shipper." + name, counted, LongAdder::sum)
                .description(description)
                .tags("reason", reason)
                .register(registry));
  }

  private <T> void gauge(String name, String description, T measured, ToDoubleFunction<T> value) {
    Gauge.builder("ringside.shipper." + name, measured, value)
        .description(description)
        .strongReference(true)
        .register(registry);
  }

  @Override
  public void close() {
    registry.close();
  }
}
