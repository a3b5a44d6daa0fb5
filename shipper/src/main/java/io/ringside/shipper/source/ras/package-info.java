/// What NCCL's RAS says of the jobs on this node: asked over its socket, packed and handed on.
/// Knows RAS's protocol, and neither what its answers mean nor Kafka.
@NullMarked
package io.ringside.shipper.source.ras;

import org.jspecify.annotations.NullMarked;
