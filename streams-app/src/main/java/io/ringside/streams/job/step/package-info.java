/// Training steps by the frameworks' own lines: progress bars, timers, throughput and iteration
/// lines become one series of step times each. Most of these lines come from rank 0 alone.
@NullMarked
package io.ringside.streams.job.step;

import org.jspecify.annotations.NullMarked;
