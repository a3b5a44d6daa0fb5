/// What nccl-tests measured, against what the machines should reach.
@NullMarked
package io.ringside.streams.detect.bandwidth;

import org.jspecify.annotations.NullMarked;
