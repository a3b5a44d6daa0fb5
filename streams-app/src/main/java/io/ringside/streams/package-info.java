/// The streams service: reads what the agents ship, judges it, and shows the result. The entry
/// points are StreamsAppMain for a process and StreamsApp for another program.
@NullMarked
package io.ringside.streams;

import org.jspecify.annotations.NullMarked;
