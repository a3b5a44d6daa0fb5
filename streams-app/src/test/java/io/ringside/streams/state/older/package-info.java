/// What an older version of the service kept.
@NullMarked
package io.ringside.streams.state.older;

import org.jspecify.annotations.NullMarked;
