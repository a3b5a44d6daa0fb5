/// Tests of {@link io.ringside.streams.witness.inspector}.
@NullMarked
package io.ringside.streams.witness.inspector;

import org.jspecify.annotations.NullMarked;
