/// The Kafka Streams topology: the picture in README.md, line by line, and the processors that
/// carry records to the join and to the judge and keep their state. The only package that knows the
/// engine.
@NullMarked
package io.ringside.streams.topology;

import org.jspecify.annotations.NullMarked;
