/// The whole join in one place, without Kafka: for evaluation and tests, which replay recorded and
/// generated jobs. The topology does the same in two steps, by node and by job.
@NullMarked
package io.ringside.streams.join;

import org.jspecify.annotations.NullMarked;
