/// The ledger's summary of a run: what is published of it beside findings, with a limited size for
/// any size of job.
@NullMarked
package io.ringside.streams.ledger;

import org.jspecify.annotations.NullMarked;
