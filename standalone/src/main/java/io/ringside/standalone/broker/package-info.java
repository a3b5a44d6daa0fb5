/// A real Apache Kafka broker inside this JVM, on loopback ports, with its data in a folder that
/// goes away. It serves `analyze`, `demo` and `up`, and other modules' integration tests; it knows
/// nothing of Ringside but the topics.
@NullMarked
package io.ringside.standalone.broker;

import org.jspecify.annotations.NullMarked;
