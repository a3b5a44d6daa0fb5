/// Runs whose transport is worse than that of the job's last good run.
@NullMarked
package io.ringside.streams.detect.regression;

import org.jspecify.annotations.NullMarked;
