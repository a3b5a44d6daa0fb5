/// Reads error counters and link states: network ports, TCP, and values that nvidia-smi returns
/// less often. Only reads and hands on; the service judges which values are high.
@NullMarked
package io.ringside.shipper.source.hardware;

import org.jspecify.annotations.NullMarked;
