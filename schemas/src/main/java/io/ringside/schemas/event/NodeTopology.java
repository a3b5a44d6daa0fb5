package io.ringside.schemas.event;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// How the GPUs of a node are connected: the record of `ringside.topology.v1`, one per node.
///
/// @param instanceType the cloud's name of the machine, empty if unknown
/// @param driver the NVIDIA driver's version, empty if unknown
/// @param gpus by index; the bus id is empty if only the matrix is known (`topo -m` alone)
/// @param links the matrix of `nvidia-smi topo -m` between GPUs: `links[i][j]` is `X`, `NV18`,
///     `PIX`, `PXB`, `PHB`, `NODE` or `SYS`
public record NodeTopology(
    String cluster,
    String node,
    Instant at,
    String instanceType,
    String driver,
    List<Gpu> gpus,
    List<List<String>> links)
    implements AgentEvent {

  public NodeTopology {
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(instanceType, "instanceType");
    Objects.requireNonNull(driver, "driver");
    gpus = List.copyOf(gpus);
    links = links.stream().map(List::copyOf).toList();
  }

  /// One GPU of the node; `busId` as in {@link GpuReading}.
  public record Gpu(int index, String busId, String uuid, String name) {}

  /// The link between the GPUs with these indexes according to `topo -m`, if known.
  public Optional<String> link(int from, int to) {
    return from >= 0 && from < links.size() && to >= 0 && to < links.get(from).size()
        ? Optional.of(links.get(from).get(to))
        : Optional.empty();
  }
}
