/// What nccl-tests measured, table by table.
@NullMarked
package io.ringside.streams.job.bandwidth;

import org.jspecify.annotations.NullMarked;
