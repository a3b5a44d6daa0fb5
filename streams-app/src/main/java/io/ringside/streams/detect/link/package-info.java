/// Links within a machine that carry less than their like, by what NCCL's own search of the machine
/// prints (GRAPH). Compared are the two directions of a pair, the GPUs of a machine, the machine's
/// type and the hosts of a communicator.
@NullMarked
package io.ringside.streams.detect.link;

import org.jspecify.annotations.NullMarked;
