/// Sums over many runs: where the GPU-hours of a fleet went, and what cost most. Made from the
/// ledger's summaries alone.
@NullMarked
package io.ringside.streams.ledger.campaign;

import org.jspecify.annotations.NullMarked;
