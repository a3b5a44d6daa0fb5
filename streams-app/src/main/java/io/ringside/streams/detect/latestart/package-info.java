/// Detects ranks that had to wait at start-up for a rank that came late.
@NullMarked
package io.ringside.streams.detect.latestart;

import org.jspecify.annotations.NullMarked;
