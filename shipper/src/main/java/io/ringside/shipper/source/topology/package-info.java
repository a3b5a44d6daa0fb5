/// How the GPUs of a node hang together: the matrix of `nvidia-smi topo -m`, recorded or asked of
/// the node. Knows nvidia-smi's spelling, and neither Kafka nor jobs.
@NullMarked
package io.ringside.shipper.source.topology;

import org.jspecify.annotations.NullMarked;
