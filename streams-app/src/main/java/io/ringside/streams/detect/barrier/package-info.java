/// Detects time lost in waits that no single rank causes.
@NullMarked
package io.ringside.streams.detect.barrier;

import org.jspecify.annotations.NullMarked;
