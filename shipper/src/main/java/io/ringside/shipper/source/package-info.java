/// What runs on its own and gives records: log files, GPUs, the node's topology. A source hands its
/// records on and never learns where they go.
@NullMarked
package io.ringside.shipper.source;

import org.jspecify.annotations.NullMarked;
