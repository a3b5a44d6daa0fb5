package io.ringside.streams.examine;

import io.ringside.schemas.event.NodeTopology;
import io.ringside.streams.expect.InstanceType;
import io.ringside.streams.job.TrainingProcess;
import java.util.Optional;

/// What to expect of a machine whose type is unknown. Its GPUs and their links come from the matrix
/// of `topo -m`, its NICs from the plugin's `found N nics`. Values that only a data sheet has stay
/// 0.
final class ObservedMachine {
  /// GB/s of one NVLink in one direction (2.0 to 4.0: V100, A100, H100; later ones carry more).
  private static final double GB_PER_SECOND_A_LINK = 25;

  private ObservedMachine() {}

  /// Empty if the agent listed no GPU.
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
            // in machines with NVLink and an RDMA network, the NICs are close to the GPUs
            nics && links > 0));
  }

  /// The GPU's model, `GPU` if unknown: a matrix alone names no model.
  private static String name(NodeTopology topology) {
    var name = topology.gpus().getFirst().name();
    return name.isBlank() ? "GPU" : name;
  }

  /// The lowest number of NVLinks between two GPUs: `NV18` is 18; 0 if any pair has none.
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
