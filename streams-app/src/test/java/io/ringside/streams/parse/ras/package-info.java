/// Tests of {@link io.ringside.streams.parse.ras}.
@NullMarked
package io.ringside.streams.parse.ras;

import org.jspecify.annotations.NullMarked;
