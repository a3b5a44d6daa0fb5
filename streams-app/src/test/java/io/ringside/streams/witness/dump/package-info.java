/// Tests of {@link io.ringside.streams.witness.dump}.
@NullMarked
package io.ringside.streams.witness.dump;

import org.jspecify.annotations.NullMarked;
