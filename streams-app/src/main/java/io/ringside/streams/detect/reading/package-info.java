/// Lines that Ringside itself cannot read or never got.
@NullMarked
package io.ringside.streams.detect.reading;

import org.jspecify.annotations.NullMarked;
