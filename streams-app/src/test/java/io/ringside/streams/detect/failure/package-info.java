/// Runs that died, by the lines of real programs and launchers.
@NullMarked
package io.ringside.streams.detect.failure;

import org.jspecify.annotations.NullMarked;
