/// How findings are written.
@NullMarked
package io.ringside.streams.examine;

import org.jspecify.annotations.NullMarked;
