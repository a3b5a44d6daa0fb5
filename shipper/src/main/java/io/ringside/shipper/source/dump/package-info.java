/// Dumps of PyTorch's flight recorder: found, packed whole and handed on. Knows how a dump begins
/// and ends, and neither what it says nor Kafka.
@NullMarked
package io.ringside.shipper.source.dump;

import org.jspecify.annotations.NullMarked;
