/// The results of all instances: each one answers for its own partitions, and the queried one asks
/// the others.
@NullMarked
package io.ringside.streams.publish.fleet;

import org.jspecify.annotations.NullMarked;
