/// Steps as training loops print them themselves: a count and, with some, a time. Which words tell
/// is in one place, for nobody agrees on their order.
@NullMarked
package io.ringside.streams.parse.loop;

import org.jspecify.annotations.NullMarked;
