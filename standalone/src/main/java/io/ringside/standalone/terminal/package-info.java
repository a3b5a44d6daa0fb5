/// The terminal side of the program: what the standard streams are connected to, and how text is
/// written to them.
@NullMarked
package io.ringside.standalone.terminal;

import org.jspecify.annotations.NullMarked;
