/// What a transport or a placement costs, learned from pairs of runs of one job that differ only in
/// that. Made from the ledger's summaries alone.
@NullMarked
package io.ringside.streams.ledger.price;

import org.jspecify.annotations.NullMarked;
