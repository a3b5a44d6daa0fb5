package io.ringside.streams.examine;

import io.ringside.streams.job.TrainingProcess;

/// Transports that a process's environment forbids.
public final class Disabled {
  private Disabled() {}

  /// P2P: `NCCL_P2P_DISABLE=1`, which NCCL before 2.23.4 prints as `NCCL_P2P_LEVEL … LOC`.
  public static boolean p2p(TrainingProcess process) {
    return process.variable("NCCL_P2P_DISABLE").equals("1")
        || process.variable("NCCL_P2P_LEVEL").equals("LOC");
  }

  /// Shared memory.
  public static boolean shm(TrainingProcess process) {
    return process.variable("NCCL_SHM_DISABLE").equals("1");
  }
}
