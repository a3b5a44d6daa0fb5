/// Detects runs in which EFA was expected and NCCL uses TCP sockets instead.
@NullMarked
package io.ringside.streams.detect.fallback;

import org.jspecify.annotations.NullMarked;
