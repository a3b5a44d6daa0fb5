package io.ringside.shipper.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.ringside.schemas.event.NetworkInterface;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/// Counters of the bytes that each network interface of this node received and sent, as the kernel
/// counts them. They restart at zero when a driver is loaded again, which `rate()` handles. An
/// interface that has disappeared has no series.
final class NetworkCounters {
  private final MeterRegistry registry;
  private final Map<Name, Counted> counted = new HashMap<>();

  private record Name(String name, int port, NetworkInterface.Kind kind) {
    static Name of(NetworkInterface it) {
      return new Name(it.name(), it.port(), it.kind());
    }

    Tags tags() {
      return Tags.of("interface", port == 0 ? name : name + ":" + port, "kind", kind.label());
    }
  }

  private record Counted(AtomicReference<NetworkInterface> newest, List<Meter> meters) {}

  NetworkCounters(MeterRegistry registry) {
    this.registry = registry;
  }

  /// @param interfaces all interfaces that the node has now
  synchronized void take(List<NetworkInterface> interfaces) {
    var present = interfaces.stream().map(Name::of).collect(Collectors.toSet());
    counted.entrySet().removeIf(it -> !present.contains(it.getKey()) && remove(it.getValue()));
    for (var newest : interfaces) {
      counted.computeIfAbsent(Name.of(newest), _ -> count(newest)).newest().set(newest);
    }
  }

  private Counted count(NetworkInterface first) {
    var newest = new AtomicReference<>(first);
    return new Counted(
        newest,
        List.of(
            counter("received", "Bytes that came in", newest, NetworkInterface::receivedBytes),
            counter("sent", "Bytes that went out", newest, NetworkInterface::sentBytes)));
  }

  private FunctionCounter counter(
      String name,
      String description,
      AtomicReference<NetworkInterface> newest,
      ToDoubleFunction<NetworkInterface> bytes) {
    return FunctionCounter.builder(
            "ringside.shipper.network." + name + ".bytes",
            newest,
            it -> bytes.applyAsDouble(it.get()))
        .description(description)
        .tags(Name.of(newest.get()).tags())
        .register(registry);
  }

  private boolean remove(Counted gone) {
    gone.meters().forEach(registry::remove);
    return true;
  }
}
