/// Detects ranks of one communicator that do not agree on GPUDirect RDMA.
@NullMarked
package io.ringside.streams.detect.gdr;

import org.jspecify.annotations.NullMarked;
