/// What NCCL itself calls wrong.
@NullMarked
package io.ringside.streams.detect.error;

import org.jspecify.annotations.NullMarked;
