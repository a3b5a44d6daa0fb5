/// The node's network interfaces become counters: what the kernel shows under `/sys/class`. Knows
/// the kernel's files, and neither Kafka nor jobs.
@NullMarked
package io.ringside.shipper.source.network;

import org.jspecify.annotations.NullMarked;
