/// Tests of {@link io.ringside.streams.parse.inspector}.
@NullMarked
package io.ringside.streams.parse.inspector;

import org.jspecify.annotations.NullMarked;
