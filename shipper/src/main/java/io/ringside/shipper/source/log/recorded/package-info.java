/// Reads complete log files once, in an order that is always the same. No tailing, no state on
/// disk.
@NullMarked
package io.ringside.shipper.source.log.recorded;

import org.jspecify.annotations.NullMarked;
