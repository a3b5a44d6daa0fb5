/// Detects a rank for which all others wait again and again.
@NullMarked
package io.ringside.streams.detect.straggler;

import org.jspecify.annotations.NullMarked;
