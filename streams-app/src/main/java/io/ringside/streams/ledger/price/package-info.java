/// What a transport or a placement costs, learned from pairs of runs of one job that differ in
/// nothing else. Made from the ledger's lines and nothing else.
@NullMarked
package io.ringside.streams.ledger.price;

import org.jspecify.annotations.NullMarked;
