/// GPUs that run slower than they could, or fail.
@NullMarked
package io.ringside.streams.detect.gpu;

import org.jspecify.annotations.NullMarked;
