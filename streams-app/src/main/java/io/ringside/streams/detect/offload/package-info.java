/// Detects reductions in the network or the NVLink switch that were requested and are not used:
/// SHARP (CollNet) and NVLS. NCCL continues without them, but slower.
@NullMarked
package io.ringside.streams.detect.offload;

import org.jspecify.annotations.NullMarked;
