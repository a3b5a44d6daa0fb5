/// What a GPU of a job did, second by second, and what it is at rest. Numbers only; who is to blame
/// is decided in `detect`.
@NullMarked
package io.ringside.streams.job.gpu;

import org.jspecify.annotations.NullMarked;
