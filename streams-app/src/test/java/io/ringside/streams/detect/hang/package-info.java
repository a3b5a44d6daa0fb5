/// Hangs, by who waits and who does not.
@NullMarked
package io.ringside.streams.detect.hang;

import org.jspecify.annotations.NullMarked;
