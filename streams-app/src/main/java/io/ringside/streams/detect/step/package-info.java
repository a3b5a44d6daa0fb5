/// Steps that take longer than they did: earlier in the run, or in the job's last good run.
@NullMarked
package io.ringside.streams.detect.step;

import org.jspecify.annotations.NullMarked;
