/// Tests of {@link io.ringside.streams.witness.ras}.
@NullMarked
package io.ringside.streams.witness.ras;

import org.jspecify.annotations.NullMarked;
