/// Runs that died: which rank failed first, and of what. What launchers and other ranks say after
/// it follows from it.
@NullMarked
package io.ringside.streams.detect.failure;

import org.jspecify.annotations.NullMarked;
