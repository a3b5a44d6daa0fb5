package io.ringside.streams.expect;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.ringside.platform.config.Require;

/// How NCCL treats a model of GPU.
///
/// @param computeCapability compute capability times ten: 80 for A100
/// @param p2p how two of them exchange data within one machine
public record GpuModel(int computeCapability, P2p p2p) {
  public GpuModel {
    Require.between("computeCapability", 30, 999, computeCapability);
  }

  /// The path that NCCL takes by default between two GPUs of one machine.
  public enum P2p {
    /// Over NVLink; the sender pushes.
    @JsonProperty("write")
    WRITE,
    /// Over NVLink; the receiver pulls.
    @JsonProperty("read")
    READ,
    /// Shared memory, since there is no P2P across host bridges.
    @JsonProperty("shm")
    SHM
  }
}
