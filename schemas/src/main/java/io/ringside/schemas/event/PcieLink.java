package io.ringside.schemas.event;

/// The current and the maximum speed of a GPU's PCIe link.
///
/// @param gen current generation; idle GPUs lower it
/// @param genMax highest generation of GPU and slot
/// @param width current number of lanes
/// @param widthMax most lanes of GPU and slot, 0 if unknown
public record PcieLink(long gen, long genMax, long width, long widthMax) {}
