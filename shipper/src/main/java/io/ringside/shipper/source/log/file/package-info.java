/// Reads the bytes of one log file, plain or compressed, and recognises a file that was read
/// before. Knows nothing about lines.
@NullMarked
package io.ringside.shipper.source.log.file;

import org.jspecify.annotations.NullMarked;
