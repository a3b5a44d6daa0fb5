/// Counters of a run's ports and GPU links: the last readings one by one, earlier ones as sums.
/// Bounded by the number of ports and GPUs.
@NullMarked
package io.ringside.streams.job.hardware;

import org.jspecify.annotations.NullMarked;
