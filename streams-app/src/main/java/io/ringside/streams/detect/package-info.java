/// One folder per detector. A detector is a pure function from what is known of a run to its
/// findings. It uses no Kafka, no clock and no files. The list of detectors is in `judge`.
@NullMarked
package io.ringside.streams.detect;

import org.jspecify.annotations.NullMarked;
