/// Detects runs that died: which rank failed first, and why. Later messages of launchers and of
/// other ranks are consequences of that failure.
@NullMarked
package io.ringside.streams.detect.failure;

import org.jspecify.annotations.NullMarked;
