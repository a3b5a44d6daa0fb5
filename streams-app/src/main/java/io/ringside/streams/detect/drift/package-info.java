/// Detects ranks of one communicator that differ in versions or environment.
@NullMarked
package io.ringside.streams.detect.drift;

import org.jspecify.annotations.NullMarked;
