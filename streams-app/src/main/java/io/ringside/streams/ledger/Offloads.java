package io.ringside.streams.ledger;

import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import io.ringside.streams.parse.event.Transport;
import java.util.ArrayList;
import java.util.List;

/// What reduces in the GPUs' place, as far as the world communicator's lines and the edges tell.
public final class Offloads {
  /// NVLink SHARP.
  public static final String NVLS = "NVLS";

  /// Reductions in InfiniBand's switches, which NCCL calls CollNet.
  public static final String SHARP = "SHARP";

  private Offloads() {}

  /// Of a run; empty where nothing does, or no line says so.
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
