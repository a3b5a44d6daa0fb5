/// Detects runs that have stopped making progress.
@NullMarked
package io.ringside.streams.detect.hang;

import org.jspecify.annotations.NullMarked;
