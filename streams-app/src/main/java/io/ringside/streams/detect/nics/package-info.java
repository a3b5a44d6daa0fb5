/// Detects network cards and GPUDirect RDMA that the machine has but the run does not use.
@NullMarked
package io.ringside.streams.detect.nics;

import org.jspecify.annotations.NullMarked;
