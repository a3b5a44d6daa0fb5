/// DeepSpeed: memory blocks, wall-clock lines, throughput, overflow, communication logger and its
/// tables. Shapes of 0.3.0 to 0.19.5, with or without the logger's prefix.
@NullMarked
package io.ringside.streams.parse.deepspeed;

import org.jspecify.annotations.NullMarked;
