/// One folder a detector: a pure function from what is known of a run to its findings. No Kafka, no
/// clock, no files; the list of detectors is in `judge`.
@NullMarked
package io.ringside.streams.detect;

import org.jspecify.annotations.NullMarked;
