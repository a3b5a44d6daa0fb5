package io.ringside.streams.detect;

/// What a cloud machine has.
///
/// @param gpu model of its GPUs
/// @param gpus how many
/// @param computeCapability times ten: 80 for A100
/// @param nvlink whether all GPUs are linked by NVLink
/// @param efa EFA interfaces, 0 for none
/// @param gdr whether NICs reach GPU memory directly
public record InstanceType(
    String gpu, int gpus, int computeCapability, boolean nvlink, int efa, boolean gdr) {}
