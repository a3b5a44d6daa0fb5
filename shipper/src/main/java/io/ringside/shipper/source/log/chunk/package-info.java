/// Splits bytes into lines and collects them into chunks of a few hundred lines. The caller decides
/// where the chunks go.
@NullMarked
package io.ringside.shipper.source.log.chunk;

import org.jspecify.annotations.NullMarked;
