/// What nccl-tests measured, table by table.
@NullMarked
package io.ringside.streams.join.bandwidth;

import org.jspecify.annotations.NullMarked;
