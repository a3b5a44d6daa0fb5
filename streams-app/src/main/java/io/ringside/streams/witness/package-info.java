/// What others than the log say of a run: PyTorch's flight recorder, NCCL's RAS and Inspector. Each
/// speaks for itself; that they agree is worth something because none knows of the others.
@NullMarked
package io.ringside.streams.witness;

import org.jspecify.annotations.NullMarked;
