/// What nccl-tests and NCCL Inspector measured, against what the machines should reach, reached
/// before, or reach elsewhere.
@NullMarked
package io.ringside.streams.detect.bandwidth;

import org.jspecify.annotations.NullMarked;
