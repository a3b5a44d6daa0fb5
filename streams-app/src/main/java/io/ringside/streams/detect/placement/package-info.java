/// Ranks of one machine in several pods, which NCCL takes for several machines.
@NullMarked
package io.ringside.streams.detect.placement;

import org.jspecify.annotations.NullMarked;
