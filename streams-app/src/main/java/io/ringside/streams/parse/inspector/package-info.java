/// NCCL's inspector profiler plugin: one JSON object per line. Shapes of 2.28.3 to 2.30.
@NullMarked
package io.ringside.streams.parse.inspector;

import org.jspecify.annotations.NullMarked;
