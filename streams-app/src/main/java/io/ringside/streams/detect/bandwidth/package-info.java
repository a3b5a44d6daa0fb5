/// Compares what nccl-tests and NCCL Inspector measured with what the machines should reach,
/// reached before, or reach elsewhere.
@NullMarked
package io.ringside.streams.detect.bandwidth;

import org.jspecify.annotations.NullMarked;
