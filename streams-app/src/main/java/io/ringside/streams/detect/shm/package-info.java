/// Shared memory between GPUs that could talk directly.
@NullMarked
package io.ringside.streams.detect.shm;

import org.jspecify.annotations.NullMarked;
