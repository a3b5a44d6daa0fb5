/// Follows the files of NCCL Inspector like logs and packs their lines, and sends its tables whole.
/// Knows neither their content nor Kafka.
@NullMarked
package io.ringside.shipper.source.inspector;

import org.jspecify.annotations.NullMarked;
