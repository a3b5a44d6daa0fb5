/// Tests of {@link io.ringside.streams.parse.flightrecorder}.
@NullMarked
package io.ringside.streams.parse.flightrecorder;

import org.jspecify.annotations.NullMarked;
