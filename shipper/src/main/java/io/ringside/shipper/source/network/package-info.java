/// Reads counters of the node's network interfaces from `/sys/class`. Knows the kernel's files, but
/// neither Kafka nor jobs.
@NullMarked
package io.ringside.shipper.source.network;

import org.jspecify.annotations.NullMarked;
