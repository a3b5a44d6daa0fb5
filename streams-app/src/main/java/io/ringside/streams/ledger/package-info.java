/// The ledger's line for a run: what is published of it beside findings, bounded whatever the size
/// of the job.
@NullMarked
package io.ringside.streams.ledger;

import org.jspecify.annotations.NullMarked;
