package io.ringside.schemas.event;

/// How fast a GPU's PCIe link runs, and how fast it can.
///
/// @param gen generation now; idle GPUs lower it
/// @param genMax the highest that GPU and slot have
/// @param width lanes now
/// @param widthMax the most lanes that GPU and slot have
public record PcieLink(long gen, long genMax, long width, long widthMax) {}
