/// Detects links within a machine that carry less than comparable links. The values are those that
/// NCCL prints about its own search of the machine (GRAPH). Compared are the two directions of a
/// pair, the GPUs of a machine, the machine's type and the hosts of a communicator.
@NullMarked
package io.ringside.streams.detect.link;

import org.jspecify.annotations.NullMarked;
