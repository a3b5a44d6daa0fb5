/// Turns nvidia-smi's output into samples, one poll of all GPUs at a time, from a recording or a
/// running child process. Knows nvidia-smi's formats, but neither Kafka nor jobs.
@NullMarked
package io.ringside.shipper.source.gpu;

import org.jspecify.annotations.NullMarked;
