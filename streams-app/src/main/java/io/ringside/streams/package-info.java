/// The streams service: reads what the agents send, judges it, and shows the result. The entry
/// points are StreamsAppMain for a process and StreamsApp for use inside another program.
@NullMarked
package io.ringside.streams;

import org.jspecify.annotations.NullMarked;
