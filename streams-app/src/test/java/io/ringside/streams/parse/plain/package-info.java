/// Tests of {@link io.ringside.streams.parse.plain}.
@NullMarked
package io.ringside.streams.parse.plain;

import org.jspecify.annotations.NullMarked;
