/// EFA was expected and NCCL took TCP sockets instead.
@NullMarked
package io.ringside.streams.detect.fallback;

import org.jspecify.annotations.NullMarked;
