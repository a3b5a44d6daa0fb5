@NullMarked
package io.ringside.streams.ledger.price;

import org.jspecify.annotations.NullMarked;
