package io.ringside.streams.fact;

import io.ringside.schemas.event.PcieLink;

/// What nvidia-smi said of a GPU's links and memory. What it does not tell is {@link #UNKNOWN}.
///
/// @param replays NVLink packets sent again since the look before, of all its links; unknown at the
///   first
/// @param recoveries of NVLinks since the look before
/// @param crc damaged NVLink packets since the look before
/// @param corrected single-bit ECC errors since the look before
/// @param up NVLinks that are up
/// @param down NVLinks that are not
/// @param gen PCIe's generation
/// @param width PCIe's lanes
/// @param busy utilization in percent
/// @param pending 1 if a row waits for a reset to be remapped
/// @param failed 1 if a row could not be remapped
/// @param margin degrees Celsius until it gets too hot to keep its clocks, 0 if it is
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

  /// What a recording says of PCIe, and of nothing else.
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
