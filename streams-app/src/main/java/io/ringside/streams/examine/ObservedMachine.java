package io.ringside.streams.examine;

import io.ringside.schemas.event.NodeTopology;
import io.ringside.streams.expect.InstanceType;
import io.ringside.streams.job.TrainingProcess;
import java.util.Optional;

/// What can be expected of a machine whose type nobody named: its GPUs and their links are in the
/// matrix of `topo -m`, its NICs in the plugin's `found N nics`. What only a data sheet knows is
/// left at none.
final class ObservedMachine {
  /// One NVLink in one direction (2.0 to 4.0: V100, A100, H100; later ones carry more), GB/s.
  private static final double GB_PER_SECOND_A_LINK = 25;

  private ObservedMachine() {}

  /// Nothing if the agent listed no GPU.
  static Optional<InstanceType> of(NodeTopology topology, TrainingProcess process) {
    if (topology.gpus().isEmpty()) {
      return Optional.empty();
    }
    int links = nvlinks(topology);
    boolean nics = process.nics() > 0;
    return Optional.of(
        new InstanceType(
            name(topology),
            topology.gpus().size(),
            links * GB_PER_SECOND_A_LINK,
            nics ? process.nics() : 0,
            0,
            // machines with NVLink and an RDMA network have their NICs beside the GPUs
            nics && links > 0));
  }

  /// A matrix alone names no model.
  private static String name(NodeTopology topology) {
    var name = topology.gpus().getFirst().name();
    return name.isBlank() ? "GPU" : name;
  }

  /// The fewest NVLinks between two GPUs: `NV18` is 18; 0 if any pair has none.
  private static int nvlinks(NodeTopology topology) {
    int fewest = Integer.MAX_VALUE;
    for (var from : topology.gpus()) {
      for (var to : topology.gpus()) {
        if (from.index() != to.index()) {
          fewest = Math.min(fewest, count(topology.link(from.index(), to.index()).orElse("")));
        }
      }
    }
    return fewest == Integer.MAX_VALUE ? 0 : fewest;
  }

  private static int count(String link) {
    return link.matches("NV\\d{1,3}") ? Integer.parseInt(link.substring(2)) : 0;
  }
}
