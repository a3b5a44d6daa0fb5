/// The stream: source, parse, join, detect, publish, one line a step. Names of stores and steps
/// live here and nowhere else.
@NullMarked
package io.ringside.streams.topology;

import org.jspecify.annotations.NullMarked;
