/// Counters of errors and states of links: ports of the network, TCP, and what nvidia-smi tells of
/// GPUs now and then. Reads and hands on; what is much is the service's to judge.
@NullMarked
package io.ringside.shipper.source.hardware;

import org.jspecify.annotations.NullMarked;
