/// Detects runs whose transport is worse than in the job's last good run.
@NullMarked
package io.ringside.streams.detect.regression;

import org.jspecify.annotations.NullMarked;
