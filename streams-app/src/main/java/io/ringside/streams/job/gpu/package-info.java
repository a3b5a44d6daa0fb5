/// Readings of a job's GPUs, second by second, and their lasting properties. Numbers only; `detect`
/// decides what is to blame.
@NullMarked
package io.ringside.streams.job.gpu;

import org.jspecify.annotations.NullMarked;
