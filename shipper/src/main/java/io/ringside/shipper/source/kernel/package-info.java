/// Reads the lines of NVIDIA's driver in the kernel log: Xids of GPUs, SXids of switches, links.
/// Knows the device `/dev/kmsg`, but neither Kafka nor jobs.
@NullMarked
package io.ringside.shipper.source.kernel;

import org.jspecify.annotations.NullMarked;
