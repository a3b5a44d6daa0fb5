package io.ringside.streams.fact;

import io.ringside.schemas.event.PcieLink;

/// What nvidia-smi reported about a GPU's links and memory. Values that it did not report are
/// {@link #UNKNOWN}.
///
/// @param replays NVLink packets that were sent again since the previous reading, over all its
///   links; unknown at the first reading
/// @param recoveries NVLink recoveries since the previous reading
/// @param crc damaged NVLink packets since the previous reading
/// @param corrected single-bit ECC errors since the previous reading
/// @param up NVLinks that are up
/// @param down NVLinks that are down
/// @param gen PCIe generation
/// @param width PCIe lanes
/// @param busy utilization in percent
/// @param pending 1 if a memory row waits for a reset to be remapped
/// @param failed 1 if a memory row could not be remapped
/// @param margin degrees Celsius until the GPU gets so hot that it lowers its clocks, 0 if it
///   already is
public record GpuLink(
    long replays,
    long recoveries,
    long crc,
    long corrected,
    long up,
    long down,
    long gen,
    long genMax,
    long width,
    long widthMax,
    long busy,
    long pending,
    long failed,
    long margin) {
  public static final long UNKNOWN = -1;

  /// A reading from a recording, which has values for PCIe and utilization only.
  public static GpuLink of(PcieLink pcie, double utilizationPercent) {
    return new GpuLink(
        UNKNOWN,
        UNKNOWN,
        UNKNOWN,
        UNKNOWN,
        UNKNOWN,
        UNKNOWN,
        pcie.gen(),
        pcie.genMax(),
        pcie.width(),
        pcie.widthMax(),
        Math.round(utilizationPercent),
        UNKNOWN,
        UNKNOWN,
        UNKNOWN);
  }

  /// Replayed and damaged packets together.
  public long errors() {
    return Math.max(0, replays) + Math.max(0, crc);
  }

  public long links() {
    return Math.max(0, up) + Math.max(0, down);
  }
}
