/// Handles wrong arguments: one sentence about what is wrong, and a suggestion for an unknown word.
/// Knows nothing about the arguments themselves.
@NullMarked
package io.ringside.platform.cli;

import org.jspecify.annotations.NullMarked;
