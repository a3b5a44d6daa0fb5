/// Queries NCCL's RAS about the jobs on this node over its socket, packs the answers and hands them
/// on. Knows RAS's protocol, but neither the meaning of its answers nor Kafka.
@NullMarked
package io.ringside.shipper.source.ras;

import org.jspecify.annotations.NullMarked;
