/// Detects processes whose arrival times cannot be trusted.
@NullMarked
package io.ringside.streams.detect.timing;

import org.jspecify.annotations.NullMarked;
