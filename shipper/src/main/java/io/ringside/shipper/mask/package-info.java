/// Hides secrets in log text before it leaves the node. Knows chunks and expressions, but neither
/// files nor Kafka.
@NullMarked
package io.ringside.shipper.mask;

import org.jspecify.annotations.NullMarked;
