/// Detects GPUs that pull data from each other instead of pushing it.
@NullMarked
package io.ringside.streams.detect.p2pread;

import org.jspecify.annotations.NullMarked;
