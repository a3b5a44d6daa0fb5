/// Reads how the GPUs of a node are connected, from `nvidia-smi topo -m`, recorded or run on the
/// node. Knows nvidia-smi's format, but neither Kafka nor jobs.
@NullMarked
package io.ringside.shipper.source.topology;

import org.jspecify.annotations.NullMarked;
