package io.ringside.streams.examine;

import io.ringside.streams.witness.inspector.SlowGroup;
import java.util.List;

/// A communicator whose calls are slow on all its ranks, as measured by NCCL Inspector.
///
/// @param ranks the run's ranks in it
public record SlowCommunicator(SlowGroup group, List<Integer> ranks) {
  public SlowCommunicator {
    ranks = List.copyOf(ranks);
  }
}
