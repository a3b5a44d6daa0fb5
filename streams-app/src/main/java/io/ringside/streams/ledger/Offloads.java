package io.ringside.streams.ledger;

import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.Transport;
import java.util.ArrayList;
import java.util.List;

/// What performs reductions in place of the GPUs, according to the world communicator's lines and
/// the edges.
public final class Offloads {
  /// NVLink SHARP.
  public static final String NVLS = "NVLS";

  /// Reductions in InfiniBand switches, which NCCL calls CollNet.
  public static final String SHARP = "SHARP";

  private Offloads() {}

  /// The offloads of a run; empty if there are none or no line shows any.
  static List<String> of(Run run) {
    var world = run.world().map(Communicator::id).orElse("");
    var offloads = new ArrayList<String>();
    if (run.processes().stream()
        .map(process -> process.memberships().get(world))
        .anyMatch(membership -> membership != null && membership.nvlsChannels() > 0)) {
      offloads.add(NVLS);
    }
    if (run.processes().stream().anyMatch(Offloads::collNet)) {
      offloads.add(SHARP);
    }
    return offloads;
  }

  private static boolean collNet(TrainingProcess process) {
    for (var group : process.edges()) {
      if (group.transport() instanceof Transport.CollNet) {
        return true;
      }
    }
    return false;
  }
}
