/// Broken GPUs, by what driver and CUDA say.
@NullMarked
package io.ringside.streams.detect.gpu;

import org.jspecify.annotations.NullMarked;
