/// What people type, and what they meant by it: one sentence for arguments that are wrong, and a
/// guess for a word that is not known. Knows nothing of the words themselves.
@NullMarked
package io.ringside.platform.cli;

import org.jspecify.annotations.NullMarked;
