/// How state is kept: bytes of values, journals, stores that write behind. What is kept, and by
/// which step, is the topology's business.
@NullMarked
package io.ringside.streams.state;

import org.jspecify.annotations.NullMarked;
