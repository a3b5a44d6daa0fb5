/// Turns lines of training logs into facts, at memory speed and without state: one [LineParser] for
/// all families, a sub-package for each family, the facts themselves in `event`.
@NullMarked
package io.ringside.streams.parse;

import org.jspecify.annotations.NullMarked;
