package io.ringside.shipper.observe;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.ringside.schemas.event.GpuReading;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.NodeReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The newest readings of this node's GPUs and interfaces, one series per GPU or interface and
/// value. Unknown values have no series. Readings may be taken on any thread; series are updated at
/// each scrape.
public final class NodeGauges {
  private static final double HERTZ = 1e6;
  private static final double BYTES = 1 << 20;

  /// The value that a series shows for a GPU, null if unknown.
  @FunctionalInterface
  private interface Value {
    @Nullable Double of(GpuReading gpu);
  }

  private final AtomicReference<@Nullable GpuSample> sample = new AtomicReference<>();
  private final Map<MultiGauge, Value> ofGpus = new LinkedHashMap<>();
  private final NetworkCounters network;

  NodeGauges(MeterRegistry registry) {
    gpu(registry, "power.watts", "Power the GPU draws", GpuReading::powerWatts);
    gpu(registry, "power.limit.watts", "Power it may draw", GpuReading::powerLimitWatts);
    gpu(registry, "clock.hertz", "SM clock", reading -> times(reading.smClockMHz(), HERTZ));
    gpu(registry, "clock.limit.hertz", "Highest SM clock", it -> times(it.smClockMaxMHz(), HERTZ));
    gpu(
        registry,
        "utilization.ratio",
        "Share of the time in which the GPU was busy",
        it -> times(it.utilizationPercent(), 0.01));
    gpu(registry, "temperature.celsius", "Temperature of the GPU", GpuReading::temperatureCelsius);
    gpu(registry, "memory.used.bytes", "GPU memory in use", it -> times(it.memoryUsedMiB(), BYTES));
    gpu(
        registry,
        "memory.limit.bytes",
        "GPU memory in all",
        it -> times(it.memoryTotalMiB(), BYTES));
    gpu(registry, "throttled", "1 while something holds its clocks down", NodeGauges::throttled);
    gpu(
        registry,
        "ecc.uncorrected.errors",
        "Uncorrected memory errors since the last reset",
        NodeGauges::eccErrors);
    gpu(
        registry,
        "unreadable",
        "1 while the driver fails to tell something",
        it -> it.error() == null ? 0.0 : 1.0);
    network = new NetworkCounters(registry);
  }

  /// Takes the newest poll of the GPUs.
  public void take(GpuSample newest) {
    sample.set(newest);
  }

  public void take(NodeReport newest) {
    network.take(newest.network());
  }

  /// Updates the series to the readings taken last.
  synchronized void refresh() {
    var gpus = sample.get();
    if (gpus != null) {
      ofGpus.forEach((gauge, value) -> gauge.register(rows(gpus.gpus(), value), true));
    }
  }

  private static List<MultiGauge.Row<?>> rows(List<GpuReading> gpus, Value value) {
    var rows = new ArrayList<MultiGauge.Row<?>>();
    for (var gpu : gpus) {
      var number = value.of(gpu);
      if (number != null) {
        rows.add(MultiGauge.Row.of(tags(gpu), number));
      }
    }
    return rows;
  }

  /// NCCL names GPUs by the bus id, NVIDIA's DCGM exporter by the UUID.
  private static Tags tags(GpuReading gpu) {
    return Tags.of("gpu", gpu.busId(), "uuid", gpu.uuid(), "index", Integer.toString(gpu.index()));
  }

  private void gpu(MeterRegistry registry, String name, String description, Value value) {
    var gauge =
        MultiGauge.builder("ringside.shipper.gpu." + name)
            .description(description)
            .register(registry);
    ofGpus.put(gauge, value);
  }

  private static @Nullable Double throttled(GpuReading reading) {
    return reading.throttleReasons() == null ? null : reading.throttled() ? 1.0 : 0.0;
  }

  private static @Nullable Double eccErrors(GpuReading reading) {
    var errors = reading.eccUncorrected();
    return errors == null ? null : errors.doubleValue();
  }

  private static @Nullable Double times(@Nullable Double value, double factor) {
    return value == null ? null : value * factor;
  }
}
