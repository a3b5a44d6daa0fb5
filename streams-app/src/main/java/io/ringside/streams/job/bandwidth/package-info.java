/// Measurements of nccl-tests, table by table.
@NullMarked
package io.ringside.streams.job.bandwidth;

import org.jspecify.annotations.NullMarked;
