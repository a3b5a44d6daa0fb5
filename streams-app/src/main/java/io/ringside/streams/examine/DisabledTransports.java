package io.ringside.streams.examine;

import io.ringside.streams.job.TrainingProcess;

/// Transports that a process's environment forbids.
public final class DisabledTransports {
  /// Variable for the largest distance between GPU and NIC at which GPUDirect RDMA is used.
  public static final String GDR_LEVEL = "NCCL_NET_GDR_LEVEL";

  private DisabledTransports() {}

  /// P2P: `NCCL_P2P_DISABLE=1`, which NCCL before 2.23.4 prints as `NCCL_P2P_LEVEL … LOC`.
  public static boolean p2p(TrainingProcess process) {
    return process.variable("NCCL_P2P_DISABLE").equals("1")
        || process.variable("NCCL_P2P_LEVEL").equals("LOC");
  }

  /// GPUDirect RDMA: `NCCL_NET_GDR_LEVEL=LOC` or 0, which NCCL prints as `LOC`.
  public static boolean gdr(TrainingProcess process) {
    return process.variable(GDR_LEVEL).equals("LOC");
  }

  /// Shared memory.
  public static boolean shm(TrainingProcess process) {
    return process.variable("NCCL_SHM_DISABLE").equals("1");
  }
}
