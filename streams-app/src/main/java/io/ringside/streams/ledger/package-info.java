/// The ledger's summary of a run: what is published about it in addition to findings, with a
/// limited size for any size of job.
@NullMarked
package io.ringside.streams.ledger;

import org.jspecify.annotations.NullMarked;
