/// Identifies the build. Programs, metrics and reports all take it from here.
@NullMarked
package io.ringside.platform.build;

import org.jspecify.annotations.NullMarked;
