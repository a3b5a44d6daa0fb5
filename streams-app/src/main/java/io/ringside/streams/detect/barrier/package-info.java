/// Time lost in waits for which no single rank is to blame.
@NullMarked
package io.ringside.streams.detect.barrier;

import org.jspecify.annotations.NullMarked;
