/// Witnesses of a run other than the log: PyTorch's flight recorder, NCCL's RAS and Inspector. They
/// are independent of each other, so it means something if they agree.
@NullMarked
package io.ringside.streams.witness;

import org.jspecify.annotations.NullMarked;
