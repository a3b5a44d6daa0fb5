/// Which build this is. The one place that programs, metrics and reports take it from.
@NullMarked
package io.ringside.platform.build;

import org.jspecify.annotations.NullMarked;
