/// Sends records to Kafka: the producer's settings, the keys of records, and counts of what was
/// sent and acknowledged. The only package of the agent that knows Kafka.
@NullMarked
package io.ringside.shipper.publish;

import org.jspecify.annotations.NullMarked;
