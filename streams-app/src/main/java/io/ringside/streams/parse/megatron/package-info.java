/// Megatron-LM: iteration lines, timers, straggler detector, checkpoints.
/// Shapes of core 0.4 to 0.19.
@NullMarked
package io.ringside.streams.parse.megatron;

import org.jspecify.annotations.NullMarked;
