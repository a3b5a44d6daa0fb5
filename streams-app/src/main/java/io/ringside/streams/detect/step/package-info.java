/// Detects steps that take longer than earlier in the run, or than in the job's last good run.
@NullMarked
package io.ringside.streams.detect.step;

import org.jspecify.annotations.NullMarked;
