/// Ranks that waited at start-up for one that came late.
@NullMarked
package io.ringside.streams.detect.latestart;

import org.jspecify.annotations.NullMarked;
