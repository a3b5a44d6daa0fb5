/// What NCCL Inspector measures: its files are followed as logs are, their lines packed. Knows
/// neither what they say nor Kafka.
@NullMarked
package io.ringside.shipper.source.inspector;

import org.jspecify.annotations.NullMarked;
