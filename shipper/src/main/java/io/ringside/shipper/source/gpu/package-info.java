/// GPUs become samples: what nvidia-smi prints, one poll of all GPUs at a time, recorded or from a
/// running child process. Knows nvidia-smi's spelling, and neither Kafka nor jobs.
@NullMarked
package io.ringside.shipper.source.gpu;

import org.jspecify.annotations.NullMarked;
