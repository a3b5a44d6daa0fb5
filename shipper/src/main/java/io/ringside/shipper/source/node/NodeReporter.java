package io.ringside.shipper.source.node;

import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.HardwareCounters;
import io.ringside.schemas.event.NodeReport;
import io.ringside.shipper.source.Source;
import io.ringside.shipper.source.network.NetworkRates;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reports on the node every few seconds, from a thread of its own: it goes on while a sensor hangs
/// and while the tailing waits for the broker.
public final class NodeReporter implements Source {
  /// What a report is made of beside the network.
  ///
  /// @param sources names of what the agent reads
  /// @param stuck names of those that have not moved for long
  /// @param hardware what was counted since it was last asked
  public record Parts(
      List<String> sources,
      Supplier<List<String>> stuck,
      Supplier<GpuSensor> gpuSensor,
      Supplier<NodeReport.Logs> logs,
      Supplier<List<HardwareCounters>> hardware) {
    public Parts {
      sources = List.copyOf(sources);
    }
  }

  private static final Logger LOGGER = LoggerFactory.getLogger(NodeReporter.class);
  private static final double MILLIS = 1e3;

  private final String cluster;
  private final String node;
  private final String version;
  private final Duration interval;
  private final NetworkRates network;
  private final Parts parts;
  private final Consumer<NodeReport> sink;
  private final InstantSource clock;
  private final LongSupplier ticker;
  private final Instant startedAt;
  private @Nullable Thread thread;
  private volatile boolean stopping;
  private volatile long beat;

  /// @param version the agent's, empty if unknown
  /// @param sink must not block for long
  public NodeReporter(
      String cluster,
      String node,
      String version,
      Duration interval,
      NetworkRates network,
      Parts parts,
      Consumer<NodeReport> sink,
      InstantSource clock,
      LongSupplier ticker) {
    this.cluster = cluster;
    this.node = node;
    this.version = version;
    this.interval = interval;
    this.network = network;
    this.parts = parts;
    this.sink = sink;
    this.clock = clock;
    this.ticker = ticker;
    this.startedAt = clock.instant();
    this.beat = ticker.getAsLong();
  }

  @Override
  public void start() {
    thread = Thread.ofPlatform().name("node-reporter").daemon().start(this::run);
  }

  private void run() {
    while (!stopping) {
      beat = ticker.getAsLong();
      try {
        sink.accept(report());
      } catch (RuntimeException e) {
        LOGGER.atError().setCause(e).log("a report on this node failed, going on");
      }
      try {
        Thread.sleep(interval);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /// What can be said now.
  NodeReport report() {
    return new NodeReport(
        cluster,
        node,
        clock.instant(),
        interval.toMillis() / MILLIS,
        new NodeReport.Agent(version, startedAt, parts.sources(), parts.stuck().get()),
        parts.gpuSensor().get(),
        parts.logs().get(),
        network.sample(),
        parts.hardware().get());
  }

  @Override
  public String name() {
    return "node";
  }

  @Override
  public long lastBeatNanos() {
    return beat;
  }

  @Override
  public void close() {
    stopping = true;
    Source.stop(thread);
  }
}
