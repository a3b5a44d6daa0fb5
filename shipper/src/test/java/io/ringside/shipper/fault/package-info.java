/// The agent against a real broker and a hostile node: each test numbers its lines and counts every
/// one of them in the end. Longer runs of the same by `-Dringside.fault.scale=N`.
@NullMarked
package io.ringside.shipper.fault;

import org.jspecify.annotations.NullMarked;
