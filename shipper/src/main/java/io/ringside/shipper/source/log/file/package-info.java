/// The bytes of one log file, plain or compressed, and whether a file is the one that was read
/// before. Knows nothing of lines.
@NullMarked
package io.ringside.shipper.source.log.file;

import org.jspecify.annotations.NullMarked;
