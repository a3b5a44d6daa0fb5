/// What people type, and what they meant by it: a guess for a word that is not known. Knows nothing of the words
/// themselves.
@NullMarked
package io.ringside.standalone.typed;

import org.jspecify.annotations.NullMarked;
