/// Detects ranks of one machine in several pods, which NCCL treats as several machines.
@NullMarked
package io.ringside.streams.detect.placement;

import org.jspecify.annotations.NullMarked;
