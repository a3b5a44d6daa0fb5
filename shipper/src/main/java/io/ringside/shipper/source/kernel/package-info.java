/// What NVIDIA's driver writes into the kernel's log: Xids of GPUs, SXids of switches, links. Knows
/// the device `/dev/kmsg`, and neither Kafka nor jobs.
@NullMarked
package io.ringside.shipper.source.kernel;

import org.jspecify.annotations.NullMarked;
