/// Runs that stand still.
@NullMarked
package io.ringside.streams.detect.hang;

import org.jspecify.annotations.NullMarked;
