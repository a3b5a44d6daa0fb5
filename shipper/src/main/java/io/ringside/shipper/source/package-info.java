/// Sources, which run on their own and produce records: log files, GPUs, the node's topology. A
/// source hands on its records and does not know where they go.
@NullMarked
package io.ringside.shipper.source;

import org.jspecify.annotations.NullMarked;
