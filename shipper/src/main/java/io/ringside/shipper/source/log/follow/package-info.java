/// Follows log files while they grow: rotation, deletion, truncation, restarts, and the point up to
/// which the broker has them. Hands on chunks; knows neither Kafka nor the meaning of a line.
@NullMarked
package io.ringside.shipper.source.log.follow;

import org.jspecify.annotations.NullMarked;
