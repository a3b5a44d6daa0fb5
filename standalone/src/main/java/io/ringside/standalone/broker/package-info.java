/// A real Apache Kafka broker inside this JVM, on loopback ports, with its data in a temporary or a
/// kept folder. It serves `analyze`, `demo` and `up`, and other modules' integration tests; of
/// Ringside it knows only the topics.
@NullMarked
package io.ringside.standalone.broker;

import org.jspecify.annotations.NullMarked;
