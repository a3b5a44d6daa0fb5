/// What a run's ports and GPU links counted: the last looks one by one, what was before as sums.
/// Bounded by the number of ports and GPUs.
@NullMarked
package io.ringside.streams.job.hardware;

import org.jspecify.annotations.NullMarked;
