/// The results of all instances: each answers for its own partitions, and whoever is asked asks the
/// others.
@NullMarked
package io.ringside.streams.publish.fleet;

import org.jspecify.annotations.NullMarked;
