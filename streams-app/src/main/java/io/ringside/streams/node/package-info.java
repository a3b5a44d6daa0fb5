/// The first half of the join, one node at a time: turns lines into facts about processes and
/// communicators, and finds the process that owns the GPU of a reading. Does not depend on Kafka.
@NullMarked
package io.ringside.streams.node;

import org.jspecify.annotations.NullMarked;
