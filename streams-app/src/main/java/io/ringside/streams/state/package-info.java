/// How state is stored: serialised values, journals, write-behind stores. The topology decides what
/// is stored and by which step.
@NullMarked
package io.ringside.streams.state;

import org.jspecify.annotations.NullMarked;
