/// Records go to Kafka: how the producer is set up, which key a record has, what was sent and
/// acknowledged. The only package of the agent that knows Kafka.
@NullMarked
package io.ringside.shipper.publish;

import org.jspecify.annotations.NullMarked;
