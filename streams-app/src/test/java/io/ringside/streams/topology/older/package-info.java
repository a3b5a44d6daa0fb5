/// What an older version of the service kept.
@NullMarked
package io.ringside.streams.topology.older;

import org.jspecify.annotations.NullMarked;
