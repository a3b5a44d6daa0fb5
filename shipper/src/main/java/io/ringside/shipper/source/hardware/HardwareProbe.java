package io.ringside.shipper.source.hardware;

import io.ringside.schemas.event.HardwareCounters;
import io.ringside.schemas.event.UnreachedWitness;
import io.ringside.shipper.source.LoopingSource;
import io.ringside.shipper.source.WitnessReachability;
import io.ringside.shipper.source.WitnessReachability.Contact;
import io.ringside.shipper.source.gpu.NvidiaSmi;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the counters of ports, TCP and GPUs periodically and keeps the newest for the node's
/// report. It has a thread of its own because nvidia-smi may hang. After a hang nvidia-smi is left
/// alone for an hour, so that child processes that cannot be killed do not pile up.
public final class HardwareProbe extends LoopingSource {
  /// What to read and how often.
  ///
  /// @param sysfs path at which the host's `/sys` is mounted
  /// @param snmp the host's `/proc/net/snmp`, null to skip TCP
  /// @param smi null to skip GPUs
  /// @param interval time between readings of ports and TCP
  /// @param gpuInterval time between readings of GPUs
  public record Settings(
      Path sysfs,
      @Nullable Path snmp,
      @Nullable NvidiaSmi smi,
      Duration interval,
      Duration gpuInterval) {}

  private static final Logger LOGGER = LoggerFactory.getLogger(HardwareProbe.class);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration AFTER_HANG = Duration.ofHours(1);

  private final Settings asked;
  private final LongAdder failures;
  private final Contact ports;
  private final Contact tcp;
  private final Contact gpus;
  private final Contact links;
  private final AtomicReference<List<HardwareCounters>> newest = new AtomicReference<>(List.of());
  private long nextGpusNanos;
  private boolean saidAbsent;

  /// @param failures counts readings of the GPUs that failed
  /// @param reachability records the parts that cannot be read
  public HardwareProbe(
      Settings asked, LongAdder failures, WitnessReachability reachability, LongSupplier ticker) {
    super("hardware", ticker);
    this.asked = asked;
    this.failures = failures;
    this.ports = reachability.contact(UnreachedWitness.COUNTERS);
    this.tcp = reachability.contact(UnreachedWitness.COUNTERS);
    this.gpus = reachability.contact(UnreachedWitness.COUNTERS);
    this.links = reachability.contact(UnreachedWitness.NVLINK);
    this.nextGpusNanos = ticker.getAsLong();
  }

  /// The counters read since the last call; empty if none were.
  public List<HardwareCounters> take() {
    return newest.getAndSet(List.of());
  }

  @Override
  protected void round() {
    newest.set(read());
  }

  @Override
  protected Duration rest() {
    return asked.interval();
  }

  /// Reads the counters that are due now.
  List<HardwareCounters> read() {
    var counters = new ArrayList<>(ports());
    if (asked.snmp() != null) {
      counters.addAll(tcp(asked.snmp()));
    }
    if (asked.smi() != null && ticker.getAsLong() >= nextGpusNanos) {
      counters.addAll(gpus(asked.smi()));
    }
    return counters;
  }

  /// Reads the ports. A node without any is not a failure.
  private List<HardwareCounters> ports() {
    var read = new PortErrors(asked.sysfs()).read();
    if (read.mute().isEmpty()) {
      ports.reached();
    } else {
      ports.failed("cannot read those of " + String.join(", ", read.mute()));
    }
    return read.ports();
  }

  private List<HardwareCounters> tcp(Path snmp) {
    var read = TcpCounters.read(snmp).stream().toList();
    if (read.isEmpty()) {
      tcp.failed("cannot read " + snmp);
    } else {
      tcp.reached();
    }
    return read;
  }

  private List<HardwareCounters> gpus(NvidiaSmi smi) {
    var pause = asked.gpuInterval();
    try {
      var read = new GpuLinks(smi, PATIENCE).read();
      gpus.reached();
      if (read.linksFailed().isEmpty()) {
        links.reached();
      } else {
        links.failed("cannot ask nvidia-smi nvlink: " + read.linksFailed());
      }
      return read.gpus();
    } catch (IOException e) {
      failures.increment();
      gpus.failed("cannot ask nvidia-smi: " + e.getMessage());
      pause = NvidiaSmi.hung(e) ? AFTER_HANG : pause;
      if (!saidAbsent) {
        saidAbsent = true;
        LOGGER
            .atInfo()
            .addKeyValue("reason", e.getMessage())
            .log("nvidia-smi tells nothing of the GPUs' links, going on without");
      }
      return List.of();
    } finally {
      nextGpusNanos = ticker.getAsLong() + pause.toNanos();
    }
  }
}
