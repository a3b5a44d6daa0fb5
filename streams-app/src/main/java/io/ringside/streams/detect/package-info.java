/// Judges runs: each detector is a pure function from what is known of a run to what it claims, in a
/// folder of its own. No Kafka, no clock, no files.
@NullMarked
package io.ringside.streams.detect;

import org.jspecify.annotations.NullMarked;
