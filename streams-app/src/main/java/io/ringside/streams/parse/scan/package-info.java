/// Reads numbers and words out of char ranges of a large text, without regular expressions. [Chars]
/// allocates nothing; one [Cursor] reads all lines of a text that are about to yield an event.
@NullMarked
package io.ringside.streams.parse.scan;

import org.jspecify.annotations.NullMarked;
