/// Reductions in the network or the NVLink switch that were wanted and are not used: SHARP
/// (CollNet) and NVLS. NCCL goes on without them, slower.
@NullMarked
package io.ringside.streams.detect.offload;

import org.jspecify.annotations.NullMarked;
