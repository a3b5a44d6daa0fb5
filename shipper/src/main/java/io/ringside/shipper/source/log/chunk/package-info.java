/// Bytes are cut into lines and collected as chunks, a few hundred lines each. Where a chunk goes
/// is its reader's business.
@NullMarked
package io.ringside.shipper.source.log.chunk;

import org.jspecify.annotations.NullMarked;
