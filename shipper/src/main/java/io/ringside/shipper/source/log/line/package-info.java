/// Parses single lines: the container runtime's format, parts of one line, progress bars, UTF-8.
/// Knows bytes, but neither files nor the meaning of a line.
@NullMarked
package io.ringside.shipper.source.log.line;

import org.jspecify.annotations.NullMarked;
