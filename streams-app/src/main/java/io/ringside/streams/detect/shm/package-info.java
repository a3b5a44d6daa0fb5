/// Detects shared memory used between GPUs that could communicate directly.
@NullMarked
package io.ringside.streams.detect.shm;

import org.jspecify.annotations.NullMarked;
