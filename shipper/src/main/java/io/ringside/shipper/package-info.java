/// The agent of a GPU node: tails logs, samples GPUs, publishes both to Kafka, and records how much
/// the broker has. Its parts are in `source`, `publish` and `observe`.
@NullMarked
package io.ringside.shipper;

import org.jspecify.annotations.NullMarked;
