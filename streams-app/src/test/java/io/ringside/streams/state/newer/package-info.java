/// What a newer version of the service keeps.
@NullMarked
package io.ringside.streams.state.newer;

import org.jspecify.annotations.NullMarked;
