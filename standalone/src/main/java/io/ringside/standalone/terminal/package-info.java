/// The outside of the program: what the standard streams are connected to, and how text gets there.
@NullMarked
package io.ringside.standalone.terminal;

import org.jspecify.annotations.NullMarked;
