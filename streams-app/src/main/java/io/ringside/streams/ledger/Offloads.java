package io.ringside.streams.ledger;

import io.ringside.streams.job.Communicator;
import io.ringside.streams.job.Run;
import java.util.List;

/// What reduces in the GPUs' place, as far as the world communicator's lines tell.
public final class Offloads {
  /// NVLink SHARP.
  public static final String NVLS = "NVLS";

  private Offloads() {}

  /// Of a run; empty where nothing does, or no line says so.
  static List<String> of(Run run) {
    var world = run.world().map(Communicator::id).orElse("");
    return run.processes().stream()
            .map(process -> process.memberships().get(world))
            .anyMatch(membership -> membership != null && membership.nvlsChannels() > 0)
        ? List.of(NVLS)
        : List.of();
  }
}
