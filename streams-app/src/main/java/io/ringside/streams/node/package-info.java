/// The first half of the join, one node at a time: lines become facts about processes and
/// communicators, and GPU readings find the process that owns the GPU. Knows nothing of Kafka.
@NullMarked
package io.ringside.streams.node;

import org.jspecify.annotations.NullMarked;
