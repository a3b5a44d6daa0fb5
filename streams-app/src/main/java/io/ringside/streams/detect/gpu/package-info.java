/// Detects GPUs that fail or run slower than they could.
@NullMarked
package io.ringside.streams.detect.gpu;

import org.jspecify.annotations.NullMarked;
