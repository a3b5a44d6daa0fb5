/// What the ledger says of many runs together: where the GPU-hours of a fleet went, and what cost
/// most. Made from the ledger's lines and nothing else.
@NullMarked
package io.ringside.streams.ledger.campaign;

import org.jspecify.annotations.NullMarked;
