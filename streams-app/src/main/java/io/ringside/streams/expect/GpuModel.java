package io.ringside.streams.expect;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.ringside.platform.config.Require;

/// What NCCL does with a model of GPU.
///
/// @param computeCapability times ten: 80 for A100
/// @param p2p how two of them exchange data within one machine
public record GpuModel(int computeCapability, P2p p2p) {
  public GpuModel {
    Require.between("computeCapability", 30, 999, computeCapability);
  }

  /// The way between two GPUs of one machine that NCCL takes by itself.
  public enum P2p {
    /// Over NVLink, the sender pushes.
    @JsonProperty("write")
    WRITE,
    /// Over NVLink, the receiver pulls.
    @JsonProperty("read")
    READ,
    /// No P2P across host bridges: shared memory.
    @JsonProperty("shm")
    SHM
  }
}
