package io.ringside.shipper.source.node;

import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.HardwareCounters;
import io.ringside.schemas.event.NodeReport;
import io.ringside.schemas.event.UnreachedWitness;
import io.ringside.shipper.source.LoopingSource;
import io.ringside.shipper.source.network.NetworkRates;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Reports on the node every few seconds. It has a thread of its own so that reports continue while
/// a sensor hangs or the tailer waits for the broker.
public final class NodeReporter extends LoopingSource {
  /// The parts of a report besides the network.
  ///
  /// @param sources names of the agent's sources
  /// @param stuck names of the sources that have not moved for long
  /// @param hardware counters read since the last call
  /// @param unreached witnesses that do not answer
  public record Parts(
      List<String> sources,
      Supplier<List<String>> stuck,
      Supplier<GpuSensor> gpuSensor,
      Supplier<NodeReport.Logs> logs,
      Supplier<List<HardwareCounters>> hardware,
      Supplier<List<UnreachedWitness>> unreached) {
    public Parts {
      sources = List.copyOf(sources);
    }
  }

  private static final double MILLIS = 1e3;

  private final String cluster;
  private final String node;
  private final String version;
  private final Duration interval;
  private final NetworkRates network;
  private final Parts parts;
  private final Consumer<NodeReport> sink;
  private final InstantSource clock;
  private final Instant startedAt;

  /// @param version of the agent, empty if unknown
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
    super("node", ticker);
    this.cluster = cluster;
    this.node = node;
    this.version = version;
    this.interval = interval;
    this.network = network;
    this.parts = parts;
    this.sink = sink;
    this.clock = clock;
    this.startedAt = clock.instant();
  }

  @Override
  protected void round() {
    sink.accept(report());
  }

  @Override
  protected Duration rest() {
    return interval;
  }

  /// Makes a report of the current state.
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
        parts.hardware().get(),
        parts.unreached().get());
  }
}
