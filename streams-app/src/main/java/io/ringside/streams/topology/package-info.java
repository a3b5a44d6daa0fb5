/// The Kafka Streams topology: the picture in README.md, edge by edge, and the processors that pass
/// records to the join and the judge and keep their state. The only package that knows Kafka
/// Streams.
@NullMarked
package io.ringside.streams.topology;

import org.jspecify.annotations.NullMarked;
